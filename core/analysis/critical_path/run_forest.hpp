#pragma once
// Explains why each GPU activity (run) started when it did, across ranks and back to the start of the recordings.
//
// Each run has one parent: the run that it waited for, directly or through its launch and the host. A collective ends
// once its last rank has arrived and the data has moved, so the parent of a run that follows it is the last rank's run.
// Parents form a forest. Edges consist of time periods: kernels, memory operations, transfers, host time, launch
// latency, callbacks, and gaps. A path's periods cover the time between its endpoints exactly once. Building is
// O(collectives); a path is O(its length).
#include <cstdint>
#include <functional>
#include <vector>

#include "core/analysis/ranks/job_runs.hpp"
#include "core/analysis/shared/time_label.hpp"

namespace warpscope::analysis {

/// A part of a path. Times are on the common clock.
struct PathPart {
  /// computation, memory, transfer (a collective after its last rank arrived, or an unmatched communication kernel),
  /// host_callback, host (the host prepared a launch), latency (from the start of a launch to the start of its
  /// activity, and short gaps between activities), unknown (longer gaps).
  TimeLabel what = TimeLabel::unknown;
  std::uint32_t rank = 0;  ///< index
  Ns from = 0;
  Ns to = 0;
  NameId name = 0;                      ///< of kernels and memory operations
  std::uint32_t collective = kNoIndex;  ///< of transfers
  std::uint32_t thread = kNoIndex;      ///< of host parts
  std::uint32_t run =
      kNoIndex;  ///< run of the rank: the one that ran; for launches and gaps: the one that started then
  std::uint32_t other = kNoIndex;  ///< of gaps: the run before; of transfers: the run of `left` in the collective
  std::uint32_t left = kNoIndex;   ///< of transfers: index of the rank that continues after it
};

class RunForest {
 public:
  static constexpr std::uint32_t kNone = kNoIndex;

  explicit RunForest(JobRuns runs);

  /// Calls visit(PathPart) for each part of the path from the end of a run back to the root, last part first.
  void walk_back(std::uint32_t rank, std::uint32_t run, const std::function<void(const PathPart&)>& visit) const;
  [[nodiscard]] const JobRuns& runs() const { return runs_; }

 private:
  [[nodiscard]] std::uint32_t node_of(std::uint32_t event) const;
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t node) const;
  /// Returns the start of a node's run on the common clock.
  [[nodiscard]] Ns time_of(std::uint32_t node) const;
  /// Calls visit(PathPart) for the parts of the edge from a node to its parent, last part first; returns the parent, or
  /// the node itself if it is a root.
  template <class Visit>
  std::uint32_t edge(std::uint32_t node, Visit visit) const;
  /// Calls visit(PathPart) for the activity from the start of `run` (for a collective: of the last rank's run) to `at`;
  /// returns that run's node. Uses the last rank's run only if it starts before `before`; if clocks are wrong, it may
  /// not.
  template <class Visit>
  std::uint32_t through(std::uint32_t rank, std::uint32_t run, Ns before, Ns at, Visit visit) const;

  JobRuns runs_;
  std::vector<std::uint32_t> first_;         // by rank index: its first node; then the number of nodes
  std::vector<std::uint32_t> last_arrival_;  // by collective: node of the last rank's run
};

}  // namespace warpscope::analysis
