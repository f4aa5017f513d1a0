#pragma once
// Sorts events into batches as they arrive: complete slices, begin/end pairs, marks, counters, flows, thread names.
// Handles all Trace Event Format phases that any version of Kineto or PyTorch writes; counts all others.
//
// A collector sees one part of a file at a time, never the whole file; the joiner resolves everything that depends on
// earlier events. The collector keeps the names and places of all its batches.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ingest/events/event_batch.hpp"
#include "core/ingest/events/interner.hpp"
#include "core/ingest/events/raw_event.hpp"

namespace warpscope::ingest {

/// Which fields of a slice its track depends on. Slices without them are counted and skipped.
enum class SliceFields : std::uint8_t {
  all,   ///< process, thread and category, as every version of PyTorch writes them
  none,  ///< what comes before the collector has set them or knows that the file has none
};

class EventCollector final : public EventSink {
 public:
  /// `file` identifies the source in diagnostics and must outlive the collector. All events must come from one parser.
  explicit EventCollector(const std::string& file, SliceFields required = SliceFields::all);

  /// Adds all subsequent events to `batch`. Batches must be passed to the joiner in the order they were filled.
  void fill(EventBatch& batch) { batch_ = &batch; }

  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override;

 private:
  /// Rule for choosing a slice's track.
  enum class Rule : std::uint8_t { by_category, thread, stream, async };
  struct Place {
    Rule rule = Rule::thread;
    bool correlates = false;    // launches and GPU activity: correlation ids are meaningful
    bool special = false;       // memcpys, memsets and graph nodes: their arguments need a closer look
    bool is_node = false;       // graph nodes
    bool computes = false;      // kernels: collective arguments are meaningful
    bool tells_stream = false;  // GPU activity: the stream is in the arguments, not in the thread id
    bool incomplete = false;    // a required field is missing
    bool rare = false;          // one of the last two
    std::uint32_t number = kNone;
    std::uint32_t shape = 0;  // the parser's shape of the last events that used this place
    std::uint32_t place = 0;
    std::string_view process;
    std::string_view thread;
    std::string_view category;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  static constexpr std::size_t kRecent = 256;

  bool add_slice(const RawEvent& event, std::uint8_t flags, const Place& place);
  [[gnu::noinline]] bool add_rare_slice(const RawEvent& event, std::uint8_t flags, const Place& place);
  BatchEdge& add_edge(const RawEvent& event, BatchEdge::Kind kind);
  void begin_slice(const RawEvent& event);
  void end_slice(const RawEvent& event);
  void add_async(const RawEvent& event);
  void add_counter(const RawEvent& event);
  [[gnu::noinline]] void add_memory(const RawEvent& event);
  void add_flow(const RawEvent& event);
  void add_names(const RawEvent& event);
  [[nodiscard]] bool is_placed(const RawEvent& event);

  const Place& place_of(const RawEvent& event, Rule rule, std::string_view category);
  [[gnu::noinline]] const Place& place_by_text(const RawEvent& event, Rule rule, std::string_view category,
                                               Place& recent);
  const Place& place_by_stream(const RawEvent& event);
  Place known_place(Rule rule, const SlicePlaceText& text);
  std::uint8_t add_copy(const RawEvent& event, BatchSlice& slice, std::uint32_t index);
  [[gnu::noinline]] std::uint8_t add_node(const RawEvent& event, BatchSlice& slice);
  std::uint32_t name_of(const RawEvent& event);
  [[gnu::noinline]] std::uint32_t new_name_of(const RawEvent& event);
  std::uint32_t number_of_name(std::string_view name);
  void note(std::string_view code, Severity severity, const RawEvent& event, std::string_view example);

  const std::string& file_;
  const SliceFields required_;
  EventBatch* batch_ = nullptr;
  Interner names_;
  std::vector<std::uint32_t> names_by_key_;
  Interner texts_;  // of places
  std::array<Place, kRecent> recent_{};
  Place by_stream_{};
  std::unordered_map<std::string, Place> places_;
  std::string key_;
};

}  // namespace warpscope::ingest
