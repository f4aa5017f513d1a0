#pragma once
// Sorts the events of one file into a PendingRank as they come: complete slices, begin/end pairs, marks, counters,
// flows, names of threads. All phases of the Trace Event Format that Kineto and PyTorch have ever written; others are
// counted.
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ingest/pending_rank.hpp"
#include "core/ingest/raw_event.hpp"

namespace warpscope::ingest {

class EventCollector final : public EventSink {
 public:
  /// Fills `rank`; both must outlive the collector.
  EventCollector(PendingRank& rank, trace::Categories& categories);

  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override;
  /// Call once after the last event: what was begun and never ended becomes a mark.
  void finish();

 private:
  void add_slice(const RawEvent& event, std::uint8_t flags);
  void begin_slice(const RawEvent& event);
  void end_slice(const RawEvent& event);
  void add_async(const RawEvent& event);
  void add_counter(const RawEvent& event);
  void add_flow(const RawEvent& event);
  void add_names(const RawEvent& event);

  PendingSlice slice_of(const RawEvent& event);
  trace::CategoryId category_of(std::string_view name);
  std::uint32_t track_of(std::string_view process, std::string_view thread, trace::TrackKind kind);
  std::uint32_t track_of(const RawEvent& event, trace::Role role);
  void note(std::string_view code, Severity severity, const RawEvent& event, std::string_view example);

  struct CachedCategory {
    std::string name;
    trace::CategoryId id = 0;
  };
  struct CachedTrack {
    std::string key;
    std::uint32_t track = 0;
  };

  PendingRank& rank_;
  trace::Categories& categories_;
  std::vector<CachedCategory> category_cache_;
  std::array<CachedTrack, 8> recent_tracks_;
  std::size_t next_recent_ = 0;
  std::string track_key_;
  std::unordered_map<std::string, std::uint32_t> tracks_;
  std::unordered_map<std::string, std::size_t> counters_;
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>> async_open_;  // → (track, slice)
};

}  // namespace warpscope::ingest
