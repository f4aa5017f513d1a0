#pragma once
// The GPU activity of a rank with what each part of it waited for before it could start: its binding predecessor.
//
// Nothing records why a kernel started when it did, but the cause is nearly always the last of these to happen: the end
// of the previous activity on its stream; the end of activity on another stream shortly before (an event that the
// stream waited for); its launch, if the GPU was idle. In the last case the host's pace decided, back to the call that
// last blocked the launching thread, and from there the GPU activity that the call waited for.
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

enum class RunKind : std::uint8_t { kernel, memory, communication };
enum class WaitedFor : std::uint8_t { nothing, run, launch };

struct RankRun {
  static constexpr Ns kNoLaunch = std::numeric_limits<Ns>::min();

  Interval time;          ///< as recorded
  Ns launch = kNoLaunch;  ///< start of its launch
  NameId name = 0;
  std::uint32_t stream = 0;             ///< track
  std::uint32_t thread = kNoIndex;      ///< track of its launch
  std::uint32_t before = kNoIndex;      ///< with WaitedFor::run: that run
  std::uint32_t collective = kNoIndex;  ///< matched collective
  RunKind kind = RunKind::kernel;
  WaitedFor waited_for = WaitedFor::nothing;
};

/// Safe from any thread once built.
class RankRuns {
 public:
  RankRuns() = default;
  /// `blocking`: by name id, calls that block until GPU activity ends (blocking_names). O(GPU activity · log + host
  /// slices of launching threads).
  RankRuns(const trace::Profile& profile, std::uint32_t rank, const GpuRows::Rows& rows, const JobCollectives& matches,
           const std::vector<char>& blocking);

  [[nodiscard]] const std::vector<RankRun>& runs() const { return runs_; }
  /// Start of the recording.
  [[nodiscard]] Ns first() const { return first_; }
  /// The call on this thread (track) that blocked last before `time` and had returned by then; nullptr if none.
  [[nodiscard]] const Interval* blocked_before(std::uint32_t thread, Ns time) const;
  /// The run that ended last up to `time`; kNoIndex if none. O(log runs).
  [[nodiscard]] std::uint32_t ended_by(Ns time) const;
  /// All blocking calls, by thread, by start.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::vector<Interval>>& blocking() const { return blocking_; }

 private:
  void find_predecessors();

  std::vector<RankRun> runs_;                                          // in the order of GpuRows
  std::vector<std::uint32_t> by_end_;                                  // runs
  std::unordered_map<std::uint32_t, std::vector<Interval>> blocking_;  // by thread
  Ns first_ = 0;
};

/// By name id: 1 for calls that return only when GPU activity has ended, such as cudaStreamSynchronize. O(names).
[[nodiscard]] std::vector<char> blocking_names(const trace::Profile& profile);

}  // namespace warpscope::analysis
