#pragma once
// Builds the edges of the critical path: the dependencies of a rank's calls and GPU activity in a time window, as in
// HTA's lightweight critical path.
#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"

namespace warpscope::analysis {

/// Connects calls that take the driver's lock. The call that ends first is assumed to have held the lock first. Adds
/// edges to each end from the previous end and from all starts between the two. O(calls · log calls).
void connect_locks(PathGraph& graph);

/// Connects the starts and ends of a thread's calls in order. Time between top-level calls counts as 0. Sets the calls'
/// parents. O(calls).
void connect_calls(PathGraph& graph, const PathThread& thread);

/// Connects the start of each GPU activity to its end and to its predecessor: the launch if the stream was empty,
/// otherwise the activity on another stream that it waited on or, without one, the previous activity. Also connects GPU
/// activity to the end of each recorded host wait for it. O((A + W) S) for A activities, W waits and S streams.
void connect_runs(PathGraph& graph, const trace::Rank& rank, const PathEvents& found);

}  // namespace warpscope::analysis
