#pragma once
// The job's critical path: the dependency chain from its last GPU activity back to the start, across ranks. Only work
// on this path determines how long the job takes; all other work has slack.
//
// The path follows binding predecessors (run_forest.hpp) backward. Within a rank, it goes from each GPU activity to its
// binding predecessor. From the end of a collective, it goes through the data transfer to the rank that arrived last
// and continues there. Each moment belongs to one segment on one rank, so the segments add up exactly to the path's
// span. The path of a step or range is the part of the job's path within it, so the paths of all steps also add up.
//
// Time in which the host prepares a launch is split by what it does, with the labels of idle time
// (causes/idle_gaps.hpp): after a wait for the GPU, ordinary work counts as sync for as long as the host waited.
//
// One rule for all ranks: an activity that waited for its launch waited for the host, back to the last call that
// blocked the launching thread. A complete path requires calls from several threads and uses HostRule::process. If the
// scope has only some of the ranks, waits for the others are parts of their own.
//
// O(A log A + H) for A GPU activities and H host slices on the path: the forest stores all predecessors, which avoids
// pairwise comparisons.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/critical_path/run_forest.hpp"

namespace warpscope::analysis {

/// True for segments between two slices: of a launch and its activity, or of two activities.
[[nodiscard]] constexpr bool is_delay(TimeLabel what) {
  return what == TimeLabel::latency || what == TimeLabel::unknown;
}

/// Part of the path on one rank: time within a slice or between two slices.
struct JobPathSegment {
  TimeLabel what = TimeLabel::unknown;  ///< of host segments: what the host does
  std::uint32_t rank = 0;               ///< index
  Interval time{};                      ///< on the common clock
  Interval recorded{};                  ///< on the rank's own clock
  NameId name = 0;  ///< of the activity that ran or started; host: the call with the most time, 0 if none is recorded
  std::uint32_t collective = kNoIndex;  ///< of transfers, if matched: index into JobCollectives::collectives
  std::uint32_t thread = kNoIndex;      ///< of host segments: track
  /// Slice to show: the activity that ran or started late; for host segments, the longest call with the name that takes
  /// the most time.
  std::optional<trace::SliceOrdinal> slice{};
  /// Slices where the path enters and leaves the segment: a launch and its GPU activity; GPU activity and its
  /// successor; or the first and the last host call. Otherwise, both are `slice`.
  std::optional<trace::SliceOrdinal> from{};
  std::optional<trace::SliceOrdinal> to{};
  /// If the path continues on another rank after a transfer: that rank's slice of the collective.
  std::optional<trace::SliceRef> met{};
};

struct JobPath {
  std::vector<JobPathSegment> segments;  ///< in time order, without gaps or overlap
  Interval span{};                       ///< on the common clock
  std::string reason;                    ///< why there is no path; "" if there is one
  std::string clocks;                    ///< a sentence about the clocks of the ranks
  std::string left_out;                  ///< a sentence about ranks that cannot be on the path; "" if all can
  std::string matching;                  ///< sentences about how collectives were matched, and about unmatched ones
  std::size_t ranks = 0;                 ///< number of ranks that can be on the path

  /// Time by rank (index) and label.
  using Sums = std::map<std::uint32_t, LabelTimes>;
  [[nodiscard]] Sums sums() const;
  /// Number of segments whose rank differs from the previous segment's.
  [[nodiscard]] std::size_t changes_of_rank() const;
};

/// Finds the path through the scope's ranks, or the part of it within the scope's range. Requires kClocksParameter and
/// kKernelClassParameter.
[[nodiscard]] JobPath find_job_path(const AnalysisInput& input);

/// Returns "The path takes 1.20 s: 61 % on rank 37 (computation 58 %), 12 % on rank 12 (host syncs 11 %); 9.1 % is data
/// transfer."
[[nodiscard]] std::string conclusion(const trace::Profile& profile, const JobPath& path);

}  // namespace warpscope::analysis
