#pragma once
// A rank's GPU activity. Each kernel, memcpy, memset or host callback of a CUDA graph (run) has a binding predecessor:
// the run or launch that it waited for.
//
// Traces do not record why a kernel started when it did, except for dependencies within a CUDA graph. The cause is
// nearly always the latest of these events: the end of the previous activity on its stream; the end of activity on
// another stream shortly before (an event that the stream waited for); or its launch, if the GPU was idle. In the last
// case, the host had been the bottleneck since the last call that blocked the launching thread. While that call
// blocked, the bottleneck was the GPU activity that it waited for. HostRule::process treats the forward and backward
// threads as one, because each waits while the other works, and traces do not record these waits. Otherwise, in a
// backward pass that never waits, the path would bypass everything the forward pass waited for.
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

enum class RunKind : std::uint8_t { kernel, memory, communication, callback };
/// True for kernels and memory operations, whose durations depend on the GPU.
[[nodiscard]] constexpr bool is_gpu_work(RunKind kind) { return kind == RunKind::kernel || kind == RunKind::memory; }
enum class WaitedFor : std::uint8_t { nothing, run, launch };

struct RankRun {
  static constexpr Ns kNoLaunch = std::numeric_limits<Ns>::min();

  Interval time;          ///< as recorded
  Ns launch = kNoLaunch;  ///< start of its launch
  Ns returned = 0;        ///< end of its launch
  NameId name = 0;
  trace::SliceOrdinal slice = 0;
  std::uint32_t stream = 0;             ///< track
  std::uint32_t thread = kNoIndex;      ///< track of its launch
  std::uint32_t before = kNoIndex;      ///< with WaitedFor::run: that run
  std::uint32_t collective = kNoIndex;  ///< matched collective
  RunKind kind = RunKind::kernel;
  WaitedFor waited_for = WaitedFor::nothing;
  bool in_graph = false;  ///< launched by a CUDA graph
};

/// A call that returned only after some GPU activity ended.
struct BlockingCall {
  Interval time;  ///< as recorded
  std::uint32_t run =
      kNoIndex;  ///< the activity, if known: a copy that ended before the call that launched it returned
};

/// Selects the calls that a launch may have waited for.
enum class HostRule : std::uint8_t {
  thread,   ///< calls of its thread whose names show that they wait
  process,  ///< also memcpys and calls of the other pass; see RankRuns::passes
};

/// Thread-safe once built.
class RankRuns {
 public:
  RankRuns() = default;
  /// `words`: host_words(). O(A log A + H) for A GPU activities and H host slices on launching threads.
  RankRuns(const trace::Profile& profile, std::uint32_t rank, const GpuRows::Rows& rows, const JobCollectives& matches,
           const std::vector<char>& words, HostRule rule);

  [[nodiscard]] const std::vector<RankRun>& runs() const { return runs_; }
  /// Returns the run of a row: its index among the rank's GpuRows.
  [[nodiscard]] std::uint32_t run_of(std::uint32_t row) const { return run_of_.empty() ? row : run_of_[row]; }
  /// Returns the start of the recording.
  [[nodiscard]] Ns first() const { return first_; }
  /// Returns the backward pass's threads (tracks), followed by the forward pass's thread; empty if they are the same or
  /// unknown, or with HostRule::thread.
  [[nodiscard]] const std::vector<std::uint32_t>& passes() const { return passes_; }
  /// Returns the last blocking call that had returned by `time` on this thread (track) or, if the thread is one of
  /// passes(), on any of those threads; nullptr if none.
  [[nodiscard]] const BlockingCall* blocked_before(std::uint32_t thread, Ns time) const;
  /// Returns the run that a call waited for; if unknown, the run that ended last before the call returned. kNoIndex if
  /// none ended during the call. O(log runs).
  [[nodiscard]] std::uint32_t waited_for(const BlockingCall& call) const;
  /// Returns all blocking calls by thread, sorted by start. Calls of all passes() threads are listed under the last of
  /// them.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::vector<BlockingCall>>& blocking() const {
    return blocking_;
  }

 private:
  void find_calls(const trace::Profile& profile, const trace::Rank& rank, const std::vector<char>& words);
  void find_blocking_copies();
  void join_passes(const trace::Rank& rank);
  void add_callbacks(const trace::Profile& profile, std::uint32_t rank);
  void find_predecessors(const trace::Profile& profile, const trace::Rank& rank);

  std::vector<RankRun> runs_;                                              // by start
  std::vector<std::uint32_t> run_of_;                                      // by row; empty without callbacks
  std::vector<std::uint32_t> by_end_;                                      // runs
  std::unordered_map<std::uint32_t, std::vector<BlockingCall>> blocking_;  // by thread
  std::vector<std::uint32_t> passes_;
  Ns first_ = 0;
};

/// Classifies names by id: 1 for calls that return only after GPU activity has ended, such as cudaStreamSynchronize; 2
/// for calls of PyTorch's autograd engine, which runs a backward pass. O(names).
[[nodiscard]] std::vector<char> host_words(const trace::Profile& profile);

}  // namespace warpscope::analysis
