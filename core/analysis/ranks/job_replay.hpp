#pragma once
// Estimates how long the job would take if a rank were as fast as its peers. The recording is converted to a graph of
// launches and GPU activity (replay_graph.hpp). Each node keeps its recorded lag after its binding predecessor; other
// predecessors only set lower bounds. A process's launches form one chain across all threads, broken where the host
// waited for the GPU. If at least a fifth of the collectives of one kind and size block the next computation, all of
// them block it in the replay.
//
// "As fast as its peers" means that each duration, and each host time between launches, is replaced by the median over
// ranks with the same role, at the same position in the same step. If steps differ, durations are scaled by the ratio
// of the peers' mean duration of kernels with the same name to the rank's own.
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/ranks/replay_graph.hpp"
#include "core/analysis/ranks/run_forest.hpp"

namespace warpscope::analysis {

class JobReplay {
 public:
  /// The comparison and the forest must outlive the replay.
  JobReplay(const AnalysisInput& input, const RankComparison& comparison, const RunForest& forest);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return used_; }
  /// Returns the recorded span; equal to identity_span() unless recorded times contradict each other.
  [[nodiscard]] Ns recorded_span() const { return recorded_; }
  /// Returns the span of an unmodified replay.
  [[nodiscard]] Ns identity_span();
  /// Returns the span if these ranks (indices) were as fast as their peers.
  [[nodiscard]] Ns span_with(std::span<const std::uint32_t> ranks);
  /// Returns the span if all ranks but this one were as fast as their peers.
  [[nodiscard]] Ns span_without(std::uint32_t rank);
  [[nodiscard]] Ns ideal_span() { return span_with(used_); }
  [[nodiscard]] std::size_t broken() const { return graph_.broken(); }

 private:
  /// Launches of one step: a range of positions in the rank's launch order.
  struct Segment {
    std::pair<NameId, std::uint32_t> step;  // {0, 0} outside steps
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint64_t names = 0;  // hash of the names, in order
  };
  struct Changes {
    std::vector<std::pair<ReplayGraph::Node, Ns>> durations;
    std::vector<std::pair<ReplayGraph::Edge, Ns>> lags;
  };

  [[nodiscard]] ReplayGraph::Node launch_node(std::uint32_t rank, std::uint32_t run) const {
    return base_[rank] + 2 * run;
  }
  [[nodiscard]] ReplayGraph::Node run_node(std::uint32_t rank, std::uint32_t run) const {
    return base_[rank] + 2 * run + 1;
  }
  [[nodiscard]] const std::vector<RankRun>& runs(std::uint32_t rank) const { return forest_.runs_of(rank).runs(); }

  void order_launches(std::uint32_t rank);
  void find_blocking();
  void add_nodes(std::uint32_t rank);
  void add_edges(std::uint32_t rank);
  [[nodiscard]] std::uint64_t class_of(const RankRun& run) const;
  [[nodiscard]] Changes changes_of(std::uint32_t rank) const;
  [[nodiscard]] const Segment* find_segment(std::uint32_t rank, const Segment& like, bool equal_names) const;
  [[nodiscard]] std::array<std::vector<Ns>, 2> lags_at(
      std::span<const std::pair<std::uint32_t, std::uint32_t>> peers) const;
  /// Replays `durations_` and `lags_`; returns the time from the first start to the last end of GPU activity.
  [[nodiscard]] Ns replayed_span();

  const trace::Profile& profile_;
  const RankComparison& comparison_;
  const RunForest& forest_;
  ReplayGraph graph_;
  std::vector<std::uint32_t> used_;                   // rank indices
  std::vector<std::uint32_t> base_;                   // by rank index: its first node
  std::vector<std::vector<std::uint32_t>> launches_;  // by rank index: runs in the order of their launches
  std::vector<std::vector<Segment>> segments_;        // by rank index
  std::vector<std::vector<std::uint32_t>> by_step_;   // by rank index: segments by step, then by time
  std::vector<std::vector<std::uint32_t>> after_;     // by rank index and run: the computation that a collective blocks
  std::vector<Changes> changes_;                      // by rank index
  // Reused buffers for replay inputs and results. Between replays, the inputs hold the recorded values.
  std::vector<Ns> durations_;
  std::vector<Ns> lags_;
  ReplayGraph::Times times_;
  Ns recorded_ = 0;
};

}  // namespace warpscope::analysis
