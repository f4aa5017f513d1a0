#pragma once
// Builds the edges of the critical path: the dependencies of a rank's calls and GPU activity in a time window, as in
// HTA's lightweight critical path.
#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"

namespace warpscope::analysis {

/// Connects calls that take the driver's lock. The call that ends first held the lock first. Edges lead to each end
/// from the previous end and from all starts between the two. O(calls · log calls).
void connect_locks(PathGraph& graph);

/// Connects the starts and ends of a thread's calls in order. Time between top-level calls counts as 0. Sets the calls'
/// parents. Returns the nodes in that order. O(calls).
std::vector<PathGraph::Node> connect_calls(PathGraph& graph, const PathThread& thread);

/// Connects the thread that called a backward pass with the backward thread. A top-level call of the backward thread
/// depends on the calling thread's last event before it. The calling thread's next event depends on the call unless
/// that event happened during the call. These edges take no time. `forward`: nodes of the calling thread, as returned
/// by connect_calls(). O(calls · log calls).
void connect_backward(PathGraph& graph, std::vector<PathGraph::Node> forward, const PathThread& backward);

struct DeviceEdges {
  Ns longest_gap = 1'500'000;  ///< limit for gaps between dependent activity on a stream; longer gaps have other causes
  bool causal = true;          ///< add a zero-time edge from every launch to its GPU activity
  bool ended_only = true;      ///< ignore activity that ends after the wait
};

/// Connects the start and end of each GPU activity, and its start with its predecessor: the launch if the stream was
/// empty, otherwise the activity on another stream that it waited for, or the previous activity if there is none. Also
/// connects GPU activity with the ends of host waits for it. O((runs + waits) · streams).
void connect_runs(PathGraph& graph, const trace::Rank& rank, const PathEvents& found, const DeviceEdges& choice);

}  // namespace warpscope::analysis
