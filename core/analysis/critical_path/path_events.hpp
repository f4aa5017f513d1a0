#pragma once
// What the critical path of a stretch of a rank is made of: the operators and runtime calls that begin in it, the runs
// that they launched, and what the host and streams waited for.
//
// A trace's rows of waits (cuda_sync) tell which stream waited and when; what an event stood for is in arguments that a
// profile does not keep. But who waits goes on as soon as what it waits for is done: a wait in which a run ended was
// for that run. A wait that found all done held nobody up. By the same rule the host's waiting calls tell by themselves
// where there are no such rows, as in most traces; and where the host told a stream to wait just before a launch, a run
// that began when another stream's had ended had waited for that.
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/critical_path/path_graph.hpp"
#include "core/analysis/critical_path/path_threads.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Calls of one thread; to HTA of two where the backward pass has one of its own, which then goes on where the forward
/// ended.
struct PathThread {
  PathGraph::Event first = 0;  ///< [first, last) by begin, then by end descending
  PathGraph::Event last = 0;
  Pass pass = Pass::none;
  std::int64_t process = 0;
};

struct PathRun {
  PathGraph::Event event = 0;
  PathGraph::Event launch = 0;
  std::uint32_t track = 0;
  bool alone = false;  ///< nothing else waited or ran on its stream when it was launched
};

enum class WaitKind : std::uint8_t {
  context,       ///< the host for all streams of a device
  stream,        ///< the host for a stream
  event,         ///< the host for a run
  stream_event,  ///< a stream for a run of another
  call,          ///< the host, by its call alone: for a run of any device
  copy,          ///< likewise, for what the call itself launched
};

struct PathWait {
  Interval time;
  WaitKind kind = WaitKind::context;
  std::uint32_t track = 0;    ///< whose row it is; none of calls
  PathGraph::Event call = 0;  ///< the host's, in which it lies
};

struct PathEvents {
  struct Choice {
    KernelClasses::Choice classes{};
    std::string data_loading{};  ///< names of calls, separated by commas; * stands for anything
    SharedResults* shared{};     ///< of this profile, or null
  };

  std::vector<PathThread> threads;
  std::vector<PathRun> runs;    ///< by begin
  std::vector<PathWait> waits;  ///< by end
  /// Calls that hold a stream until something of another is done, in the order of events. Only where no rows tell which
  /// stream and for what.
  std::vector<PathGraph::Event> stream_waits;
  bool waits_recorded = false;  ///< the rank has rows of waits at all
};

/// Adds the calls and runs of the window to the graph. What begins at its end counts too, as HTA has it. O(slices in
/// the window + runs of the rank · log).
[[nodiscard]] PathEvents collect_path_events(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                             const PathEvents::Choice& choice, PathGraph& graph,
                                             const CancelToken* cancel);

}  // namespace warpscope::analysis
