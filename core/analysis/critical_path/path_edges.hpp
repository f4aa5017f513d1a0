#pragma once
// The edges of the critical path: what the calls and runs of a stretch of a rank had to wait for, as HTA's lightweight
// critical path has it.
#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"

namespace warpscope::analysis {

/// Among calls that take the driver's lock, whichever ends first held it first: from each begin since the end before to
/// the next end, and from end to end. O(calls · log calls).
void connect_locks(PathGraph& graph);

/// Along a thread: begins and ends of its calls in their order; from one at the top to the next no time counts. Sets
/// the calls' parents. Returns the nodes in that order. O(calls).
std::vector<PathGraph::Node> connect_calls(PathGraph& graph, const PathThread& thread);

/// Between the thread that called for a backward pass and the one that runs it: each call at the top of the latter
/// comes after what the former did last before, and before what it did next if it did nothing meanwhile. Takes no time.
/// `forward`: nodes of the former, as connect_calls() returns them. O(calls · log calls).
void connect_backward(PathGraph& graph, std::vector<PathGraph::Node> forward, const PathThread& backward);

struct DeviceEdges {
  Ns longest_gap = 1'500'000;  ///< between runs of a stream that depend on each other: what is longer has other causes
  bool causal = true;          ///< every run comes after its launch too, though that takes no time
  bool ended_only = true;      ///< nobody waits for a run that ends after the wait
};

/// Each run's own time, and from what it had to wait for to its begin: its launch if its stream was empty, else the run
/// that it waited for on another stream, else the run before. And from runs to the ends of the host's waits for them.
/// O((runs + waits) · streams).
void connect_runs(PathGraph& graph, const trace::Rank& rank, const PathEvents& found, const DeviceEdges& choice);

}  // namespace warpscope::analysis
