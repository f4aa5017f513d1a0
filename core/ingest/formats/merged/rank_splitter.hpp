#pragma once
// Sorts a merged file's events by rank in one pass. Each rank has its own collector, so correlation and flow ids are
// resolved within a rank. This is necessary because tools do not make ids unique across ranks. Restores the original
// event names, process ids and thread ids from before the merge, as far as the file contains them.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/joined_events.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/formats/trace_events/merged_layout.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest::merged {

/// Facts collected in one pass over the file. If names follow the events they apply to, the next pass starts with these
/// names.
struct Knowledge {
  std::map<std::string, RankLabel, std::less<>> of_process;      ///< by "pid", from process names
  std::map<std::string, std::string, std::less<>> first_device;  ///< by label
  std::optional<RankLabel> first;                                ///< the first rank of the file
  bool too_late = false;                                         ///< events preceded the names they needed
};

class RankSplitter final : public EventSink {
 public:
  static constexpr std::size_t kMostRanks = 4096;

  /// All arguments must outlive this object.
  RankSplitter(const std::string& file, Layout layout, const ReadOptions& options, Knowledge& knowledge)
      : file_(file), layout_(layout), options_(options), knowledge_(knowledge) {}

  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override;

  /// Returns the sink for parser diagnostics, which are assigned to the next event's rank.
  [[nodiscard]] Diagnostics& diagnostics() { return found_; }
  /// Returns false if essential labels are missing, in which case the file should be read as a single trace.
  [[nodiscard]] bool is_merged() const;
  /// Moves the ranks to `contents`. Call once, after the last event.
  void finish(const ParseOutcome& outcome, FileContents& contents);

 private:
  struct Part {
    Part(RankLabel its_label, const std::string& path, std::uint64_t most_slices);
    RankLabel label;
    std::unique_ptr<MergedRank> rank;
    BatchJoiner joiner;
    JoinedEvents events;
  };

  [[nodiscard]] Part* part_of(const RankLabel& label);
  [[nodiscard]] Part* part_of_axes(std::string_view axes);
  [[nodiscard]] Part* part_of_rank(std::int64_t rank);
  [[nodiscard]] Part* resolve(RawEvent& event);
  void learn(const RawEvent& event);
  void restore_device(RawEvent& event, const Part& part);
  void assign_diagnostics(Part& part);

  const std::string& file_;
  Layout layout_;
  const ReadOptions& options_;
  Knowledge& knowledge_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::map<std::string, Part*, std::less<>> by_label_;
  std::map<std::int64_t, Part*> by_rank_;
  std::vector<std::pair<std::string, std::string>> metadata_;
  Diagnostics found_;
  Part* current_ = nullptr;  // of the last event
  std::uint64_t switches_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t runs_without_label_ = 0;
  bool too_many_ = false;
  std::set<std::string, std::less<>> without_label_;  // processes
  std::string process_, thread_, device_;             // text of the event passed on
};

}  // namespace warpscope::ingest::merged
