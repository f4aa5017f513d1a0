#pragma once
// The recording as a graph that can be replayed with changes: what would the job take without a cause?
//
// Nodes are launches and GPU activity (replay_graph.hpp). Edges are the order of launches on the host, launch → GPU
// activity, the order on a stream, the activity that a run waited for on another stream, GPU activity → the launch
// after a call that waited for it (and what it launched: without the call, a stream has to wait instead), and the
// members of a collective. Each node keeps its recorded lag after its binding predecessor; other predecessors only set
// lower bounds. If at least a fifth of the collectives of one kind and size block the next computation, all of them
// block it in the replay.
//
// A ReplayChange shortens durations and lags. Its saving is the difference between the replay of the recording and the
// replay with the change, from the first to the last evaluated step. Building is O(R log R + H) for R GPU activities
// and H host slices, a replay O(R). Based on ByteDance's StragglerAnalysis (arXiv 2505.05713), which replays coarser
// operations.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/causes/host_chain.hpp"
#include "core/analysis/ranks/job_runs.hpp"
#include "core/analysis/ranks/replay_graph.hpp"
#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/shared/host_work.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::analysis {

/// Reductions of durations (by node) and lags (by edge), in ns.
struct ReplayChange {
  std::vector<std::pair<ReplayGraph::Node, Ns>> durations;
  std::vector<std::pair<ReplayGraph::Edge, Ns>> lags;
  [[nodiscard]] bool empty() const { return durations.empty() && lags.empty(); }
};

/// The launches of one step on one rank: a range of positions in the rank's launch order.
struct StepCell {
  std::uint32_t rank = 0;                 // index
  std::pair<NameId, std::uint32_t> step;  // name and number of earlier steps with this name; {0, 0} outside steps
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t names = 0;  // hash of the names of its GPU activity, in order
  bool evaluated = false;
};

/// Ordinary host time before a launch, in ns: since the launch before, without avoidable calls and waits for the GPU.
struct HostLag {
  Ns ordinary = 0;
  Ns stalled = 0;  ///< part of `ordinary` in calls that take much longer than others with their name
  trace::SliceOrdinal call = HostPiece::kNoCall;  ///< with the longest part of `ordinary`; kNoCall: not recorded
};

/// A call before a launch that includes_calls() is true for, and the time that it takes.
struct AvoidableCall {
  std::uint32_t position = 0;  // of the launch
  HostWork work = HostWork::data_loader;
  trace::SliceOrdinal slice = 0;
  Ns time = 0;
};

/// Called for each rank's chain while a model is built, on several threads; serves whatever else needs the chain, which
/// is expensive to build and to keep.
using ChainVisitor = std::function<void(std::uint32_t rank, const HostChain& chain)>;

class JobModel {
 public:
  static constexpr ReplayGraph::Edge kNoEdge = kNoIndex;

  /// The runs must outlive the model.
  JobModel(const AnalysisInput& input, const JobRuns& of_job, const ChainVisitor& visit = {});
  /// Must be called once before the first replay; other members may be used meanwhile. Takes as long as a few replays.
  void prepare() EXCLUDES(mutex_);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return used_; }
  [[nodiscard]] const std::vector<RankRun>& runs(std::uint32_t rank) const { return runs_.of(rank).runs(); }
  [[nodiscard]] const RankComparison& comparison() const { return runs_.comparison(); }
  [[nodiscard]] const std::vector<StepCell>& cells() const { return cells_; }
  /// Runs of a rank in the order of their launches.
  [[nodiscard]] const std::vector<std::uint32_t>& launches(std::uint32_t rank) const { return launches_[rank]; }
  [[nodiscard]] ReplayGraph::Node run_node(std::uint32_t rank, std::uint32_t run) const {
    return base_[rank] + 2 * run + 1;
  }
  /// Returns the node's recorded duration; for a member of a collective, from the start of its last member.
  [[nodiscard]] Ns duration(ReplayGraph::Node node) const { return graph_.duration(node); }
  /// Host time before the launch at a position of the rank's launch order.
  [[nodiscard]] const HostLag& host_lag(std::uint32_t rank, std::uint32_t position) const {
    return host_[rank][position];
  }
  /// Calls before the launches at positions [first, last).
  [[nodiscard]] std::span<const AvoidableCall> avoidable_calls(std::uint32_t rank, std::uint32_t first,
                                                               std::uint32_t last) const {
    const auto at = [&](std::uint32_t k) {
      return std::ranges::lower_bound(avoidable_[rank], k, {}, &AvoidableCall::position);
    };
    return {at(first), at(last)};
  }
  /// Adds to `change` that the host time before a launch is shorter by `time` (at most all of it).
  void shorten_host(std::uint32_t rank, std::uint32_t position, Ns time, ReplayChange& change) const;
  /// Adds that a launch no longer waits for GPU activity; no-op if it does not.
  void remove_wait(std::uint32_t rank, std::uint32_t position, ReplayChange& change) const;

  /// Number of evaluated steps; 1 if the recording has none.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] bool by_steps() const { return by_steps_; }
  /// Returns the evaluated time (evaluated_time.hpp) per step, averaged over the ranks.
  [[nodiscard]] Ns step_time() const { return evaluated_; }
  /// Returns the same with all of `changes`: shorter by the difference of the replays. Thread-safe.
  [[nodiscard]] Ns step_time(std::span<const ReplayChange* const> changes) const EXCLUDES(mutex_);
  [[nodiscard]] std::size_t broken() const { return graph_.broken(); }
  /// True if most launched activity of a rank starts before its launch: the clocks of its host and GPU contradict each
  /// other, so delays by the host are unknown.
  [[nodiscard]] bool clocks_contradict() const { return clocks_contradict_; }

 private:
  [[nodiscard]] ReplayGraph::Node launch_node(std::uint32_t rank, std::uint32_t run) const {
    return base_[rank] + 2 * run;
  }
  /// Returns the rank's cells.
  [[nodiscard]] std::vector<StepCell> order_launches(std::uint32_t rank, const EvaluatedRank& evaluated);
  [[nodiscard]] bool clocks_contradict(std::uint32_t rank) const;
  [[nodiscard]] Ns start_of(std::uint32_t rank) const;
  void find_blocking();
  void add_nodes(std::uint32_t rank);
  void read_chain(const AnalysisInput& input, std::uint32_t rank, const HostWorkNames& names,
                  const ChainVisitor& visit);
  void add_edges(std::uint32_t rank);
  [[nodiscard]] std::uint64_t class_of(const RankRun& run) const;
  /// Buffers of a replay; durations and lags hold the recorded values in between.
  struct Replay {
    std::vector<Ns> durations;
    std::vector<Ns> lags;
    std::vector<Ns> ends;
  };
  [[nodiscard]] Ns measured(Replay& replay) const;

  const trace::Profile& profile_;
  const JobRuns& runs_;
  ReplayGraph graph_;
  std::vector<std::uint32_t> used_;                    // rank indices
  std::vector<ReplayGraph::Node> origins_;             // by rank index: the start of its recorded work
  std::vector<std::uint32_t> base_;                    // by rank index: its first node of a run
  std::vector<std::vector<std::uint32_t>> launches_;   // by rank index
  std::vector<std::vector<HostLag>> host_;             // by rank index and position
  std::vector<std::vector<AvoidableCall>> avoidable_;  // by rank index, sorted by position
  std::vector<std::vector<ReplayGraph::Edge>> chain_;  // by rank index and position: from the launch before
  std::vector<std::vector<ReplayGraph::Edge>> waits_;  // by rank index and position: from the activity waited for
  std::vector<std::vector<std::uint32_t>> after_;  // by rank index and run: the computation that a collective blocks
  std::vector<StepCell> cells_;                    // by rank, then by time
  std::vector<ReplayGraph::Node> before_;          // nodes that end before the evaluated time
  std::vector<ReplayGraph::Node> within_;          // nodes of the evaluated time
  bool lags_behind_ = false;  // activity launched before the recording runs when the evaluated time starts
  std::size_t steps_ = 1;
  bool by_steps_ = false;
  bool clocks_contradict_ = false;
  Ns evaluated_ = 0;
  Ns recorded_ = 0;  // unchanged replay, per step
  mutable Mutex mutex_;
  mutable std::vector<Replay> idle_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::analysis
