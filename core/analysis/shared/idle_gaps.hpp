#pragma once
// Explains idle gaps on a stream or a whole GPU. Each gap is split based on the launch of the GPU activity that ends
// it:
// - until the launch call ends, the GPU waits for the host: host_wait;
// - a short remainder is device delay: kernel_wait;
// - otherwise, if work on another stream ended just before the gap did, or a recorded "Stream Wait Event" precedes the
//   launch, the stream waited for that work: stream_wait;
// - otherwise the cause is unknown. Gaps before activity without a launch record are no_launch_record.
// Time during which the device runs a host callback of a CUDA graph is host_callback. Activity that waits for another
// node of its graph does not wait for its launch.
//
// HTA blames the host for every gap whose launch came after the start of the gap. This misses a common case: a launch
// early in the gap, after which computation waits for a collective on another stream.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

enum class IdleCause : std::uint8_t { host_wait, stream_wait, kernel_wait, unknown, no_launch_record, host_callback };
inline constexpr std::array<std::string_view, 6> kIdleCauses{"host_wait", "stream_wait",      "kernel_wait",
                                                             "unknown",   "no_launch_record", "host_callback"};
/// Column roles for the idle time of each cause, indexed by IdleCause.
inline constexpr std::array kIdleRoles{ColumnRole::host_wait, ColumnRole::stream_wait,      ColumnRole::kernel_wait,
                                       ColumnRole::unknown,   ColumnRole::no_launch_record, ColumnRole::host_callback};
/// Idle time by cause, indexed by IdleCause.
using IdleTimes = std::array<Ns, kIdleCauses.size()>;

/// Returns the cause with the most time; the first one if several tie.
[[nodiscard]] IdleCause largest(const IdleTimes& times);
/// Returns a phrase such as "waiting for the host to launch work".
[[nodiscard]] std::string_view words_of(IdleCause cause);

/// Returns "GPUs are idle for 52.3 % of the time, 94.3 % of it waiting for the host to launch work." `idle` is part of
/// `time`, which must be positive; `one` selects the wording for a single GPU.
[[nodiscard]] std::string idle_sentence(Ns idle, Ns time, const IdleTimes& parts, bool one);

struct IdleGap {
  Interval time;      ///< ns, absolute; longer than 0
  IdleTimes parts{};  ///< adds up to the length of the gap
  GpuRow next;        ///< GPU activity that ends the gap
  /// Activity on another stream, or host callback of a CUDA graph, that `next` waited for.
  std::optional<trace::SliceOrdinal> awaited{};
};

/// Maximum device delay between activities that were launched in time: 1 to 4 µs on GPUs from V100 to H100.
inline constexpr Ns kOwnDelay = 10'000;

/// Idle time of a device, during which none of its streams is active.
struct DeviceIdle {
  Interval time;  ///< the evaluated time, or from the first to the last activity
  std::vector<IdleGap> gaps;
  IdleTimes parts{};  ///< sums over the gaps
};

/// Splits the gaps of a device and its streams by cause. O(n log n) to construct, O(log n) per gap.
class IdleGaps {
 public:
  /// `rank`: index. `runs`: all activity of one device, by start, as in GpuRows; must outlive this object. Gap
  /// remainders shorter than `own_delay` count as kernel_wait.
  IdleGaps(const trace::Profile& profile, std::uint32_t rank, const GpuRows& all, std::span<const GpuRow> runs,
           Ns own_delay = kOwnDelay);

  /// Returns the gaps of the whole device. `evaluated`: Scope::evaluated_on_gpu().
  [[nodiscard]] DeviceIdle of_device(const std::optional<Interval>& evaluated) const;

  /// Calls visit(const IdleGap&) for each gap between `runs`, by start, and for one from `start` to the first of them.
  /// `runs` must contain all activity on the device, or on one stream.
  template <class Visit>
  void for_each(std::span<const GpuRow> runs, Visit visit, std::optional<Ns> start = {}) const {
    if (runs.empty()) return;
    const Callbacks& callbacks = runs.size() == runs_.size() ? callbacks_ : callbacks_on(runs.front().track);
    const GpuRow& first = runs.front();
    if (start && first.time.begin > *start) visit(split({*start, first.time.begin}, first, first, callbacks));
    Ns reached = first.time.end;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i].time.begin > reached) visit(split({reached, runs[i].time.begin}, runs[i - 1], runs[i], callbacks));
      reached = std::max(reached, runs[i].time.end);
    }
  }

 private:
  /// Host callbacks of a stream, or of all streams of the device.
  struct Callbacks {
    std::vector<HostNode> nodes;  ///< by start
    std::vector<Interval> times;
  };

  [[nodiscard]] IdleGap split(Interval gap, const GpuRow& before, const GpuRow& next, const Callbacks& callbacks) const;
  /// Splits a gap whose next activity waited for another node of its CUDA graph.
  void split_at_node(IdleGap& gap, trace::SliceOrdinal awaited, const Callbacks& callbacks) const;
  [[nodiscard]] const Callbacks& callbacks_on(std::uint32_t track) const;
  /// Returns the time by which the host had submitted the work.
  [[nodiscard]] Ns submitted(Interval launch, const GpuRow& run, Interval gap) const;
  /// Returns the activity on other streams that ends last in [from, to].
  [[nodiscard]] const GpuRow* last_elsewhere(Interval within, std::uint32_t track) const;
  [[nodiscard]] bool waits_for_event(const GpuRow& before, const GpuRow& next, Interval launch) const;

  const trace::Profile& profile_;
  std::uint32_t rank_;
  const GpuRows& all_;
  std::span<const GpuRow> runs_;
  Ns own_delay_;
  std::vector<std::pair<Ns, std::uint32_t>> ends_;        // end times of runs_, sorted
  std::map<std::uint32_t, std::vector<Ns>> event_waits_;  // by track: calls that made the stream wait, sorted
  Callbacks callbacks_;                                   // of the device
  std::map<std::uint32_t, Callbacks> callbacks_of_;       // by track
};

}  // namespace warpscope::analysis
