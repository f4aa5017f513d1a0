#pragma once
// Collects the events of HTA's critical path: the operators and runtime calls that start in a rank's time window, the
// GPU activity that they launched, and host and stream waits.
//
// Recorded waits (cuda_sync) contain the waiting stream and the time. The awaited GPU activity is recorded only in
// arguments, which profiles do not store. However, a wait ends as soon as its condition is met, so the awaited activity
// is the one that ended during the wait. Waiting for already completed work causes no delay.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/critical_path/path_graph.hpp"
#include "core/analysis/critical_path/path_threads.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Calls of one thread, or of a forward thread that a backward thread continues.
struct PathThread {
  PathGraph::Event first = 0;  ///< [first, last) by start, then by end descending
  PathGraph::Event last = 0;
};

/// GPU activity.
struct PathRun {
  PathGraph::Event event = 0;
  PathGraph::Event launch = 0;
  std::uint32_t track = 0;
  bool alone = false;  ///< its stream was idle with an empty queue when it was launched
};

enum class WaitKind : std::uint8_t {
  context,       ///< host waits for all streams of a device
  stream,        ///< host waits for a stream
  event,         ///< host waits for GPU activity
  stream_event,  ///< stream waits for activity on another stream
};

struct PathWait {
  Interval time;
  WaitKind kind = WaitKind::context;
  std::uint32_t track = 0;    ///< of the wait
  PathGraph::Event call = 0;  ///< host call that contains the wait
};

struct PathEvents {
  struct Choice {
    KernelClasses::Choice classes{};  ///< with hta
    std::string data_loading{};       ///< names of calls, separated by commas; * matches anything
    SharedResults* shared{};          ///< for this profile, or null
  };

  std::vector<PathThread> threads;
  std::vector<PathRun> runs;    ///< by start
  std::vector<PathWait> waits;  ///< by end
};

/// Adds the calls and GPU activity of the window to the graph, including those that start at its end, as HTA does. O(S
/// + A log A) for S slices in the window and A GPU activities on the rank.
[[nodiscard]] PathEvents collect_path_events(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                             const PathEvents::Choice& choice, PathGraph& graph,
                                             const CancelToken* cancel);

}  // namespace warpscope::analysis
