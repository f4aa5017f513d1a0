#pragma once
// The evaluated time of one GPU, and helpers for disjoint intervals.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/shared/device_time.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/time.hpp"

namespace warpscope::rules {

struct GpuWindow {
  std::uint32_t rank = 0;        ///< index
  std::uint32_t device = 0;      ///< index into Rank::devices
  std::vector<Interval> parts;   ///< disjoint, by start: one per step, some may be empty
  std::uint32_t first_step = 0;  ///< of the rank: that of parts[0]
  std::size_t steps = 0;         ///< steps in `parts`; 0 if the trace has none
  Interval host;                 ///< the same steps on the host
  std::vector<Interval> busy;    ///< union of GPU activity, not limited to `parts`
  std::vector<Interval> idle;    ///< idle time in `parts`, excluding profiler overhead

  [[nodiscard]] Ns length() const { return analysis::total_length(parts); }
  /// Returns `time` if the GPU is busy at that time, otherwise the start of the next GPU activity; nullopt if there is
  /// none. O(log busy).
  [[nodiscard]] std::optional<Ns> next_activity(Ns time) const;
};

/// Returns the intersection of two lists of disjoint intervals, both sorted by start. O(a + b).
[[nodiscard]] std::vector<Interval> common(const std::vector<Interval>& a, const std::vector<Interval>& b);

/// True if `time` overlaps any of the intervals (disjoint, sorted by start). O(log intervals).
[[nodiscard]] bool touches(const std::vector<Interval>& intervals, Interval time);

/// Looks up nondecreasing times in disjoint intervals that are sorted by start. O(1) amortized.
class PartsWalk {
 public:
  /// `parts` must outlive this object.
  explicit PartsWalk(const std::vector<Interval>& parts) : part_(parts.begin()), end_(parts.end()) {}

  /// True if an interval contains `time`. Intervals are half-open. `time` must not decrease between calls.
  [[nodiscard]] bool contains(Ns time) {
    while (part_ != end_ && part_->end <= time) ++part_;
    return part_ != end_ && part_->begin <= time;
  }

 private:
  std::vector<Interval>::const_iterator part_;
  std::vector<Interval>::const_iterator end_;
};

using analysis::joined;

}  // namespace warpscope::rules
