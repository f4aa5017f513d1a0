#pragma once
// Explains idle gaps on a stream or a whole GPU. Each gap is split based on the launch of the GPU activity that ends
// it:
// - until the launch call ends, the GPU waits for the host, and each moment counts as what the host did then
//   (host_chain.hpp): a call never gets more than the time during which it ran and the GPU waited for it. After the
//   host waited for the GPU, ordinary work counts as sync until the GPU has been idle for as long as the host waited:
//   without the waits, the host would be ahead by that time. Otherwise, it counts as launch delays in gaps below 1 ms
//   and as other host work in longer ones;
// - a short remainder is latency;
// - otherwise, if work on another stream ended just before the gap did, or a recorded "Stream Wait Event" precedes the
//   launch, the stream waited for that work;
// - otherwise the cause is unknown. Gaps before activity without a launch record are no_launch.
// Time during which the device runs a host callback of a CUDA graph is host_callback. Activity that waits for another
// node of its graph does not wait for its launch.
//
// HTA blames the host for every gap whose launch came after the start of the gap. This misses a common case: a launch
// early in the gap, after which computation waits for a collective on another stream.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/causes/host_chain.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/analysis/shared/time_label.hpp"

namespace warpscope::analysis {

struct IdlePiece {
  TimeLabel label = TimeLabel::unknown;
  Interval time;
};

struct IdleGap {
  Interval time;                  ///< ns, absolute; longer than 0
  std::vector<IdlePiece> pieces;  ///< cover the gap, in time order
  GpuRow next;                    ///< GPU activity that ends the gap
  /// Activity on another stream, or host callback of a CUDA graph, that `next` waited for.
  std::optional<trace::SliceOrdinal> awaited{};

  [[nodiscard]] LabelTimes times() const;
};

/// Splits the gaps of a device and its streams by cause. O(n log n) to construct, O(log n) per gap and piece.
class IdleGaps {
 public:
  /// `rank`: index. `runs`: all activity of one device, by start, as in GpuRows; must outlive this object, as must
  /// `chain`. Gap remainders shorter than `own_delay` count as latency.
  IdleGaps(const trace::Profile& profile, std::uint32_t rank, const GpuRows& all, std::span<const GpuRow> runs,
           const HostChain& chain, Ns own_delay = kOwnDelay);

  /// Calls visit(const IdleGap&) for each gap between `runs`, by start, and for one from `start` to the first of them.
  /// `runs` must contain all activity on the device, or on one stream.
  template <class Visit>
  void for_each(std::span<const GpuRow> runs, Visit visit, std::optional<Ns> start = {}) const {
    if (runs.empty()) return;
    const Callbacks& callbacks = runs.size() == runs_.size() ? callbacks_ : callbacks_on(runs.front().track);
    const GpuRow& first = runs.front();
    IdleGap gap;
    Delay delay{start.value_or(first.time.begin)};
    const auto visit_gap = [&](Interval time, const GpuRow& before, const GpuRow& next) {
      gap.time = time;
      gap.pieces.clear();
      gap.next = next;
      gap.awaited.reset();
      split(gap, before, callbacks, delay);
      visit(std::as_const(gap));
    };
    if (start && first.time.begin > *start) visit_gap({*start, first.time.begin}, first, first);
    Ns reached = first.time.end;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i].time.begin > reached) visit_gap({reached, runs[i].time.begin}, runs[i - 1], runs[i]);
      reached = std::max(reached, runs[i].time.end);
    }
  }

 private:
  /// Host callbacks of a stream, or of all streams of the device.
  struct Callbacks {
    std::vector<HostNode> nodes;  ///< by start
    std::vector<Interval> times;
  };

  /// The time by which waits for the GPU delay the host, except what the GPU has been idle for since.
  struct Delay {
    Ns until = 0;  ///< end of the last gap on the host; waits before the first one do not count
    Ns time = 0;
  };

  void split(IdleGap& gap, const GpuRow& before, const Callbacks& callbacks, Delay& delay) const;
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
  const HostChain& chain_;
  Ns own_delay_;
  std::vector<std::pair<Ns, std::uint32_t>> ends_;        // end times of runs_, sorted
  std::map<std::uint32_t, std::vector<Ns>> event_waits_;  // by track: calls that made the stream wait, sorted
  Callbacks callbacks_;                                   // of the device
  std::map<std::uint32_t, Callbacks> callbacks_of_;       // by track
};

}  // namespace warpscope::analysis
