#pragma once
// Lists of disjoint intervals, sorted by start.
#include <span>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::analysis {

[[nodiscard]] Ns total_length(const std::vector<Interval>& intervals);

/// Returns the length of the overlap. O(a log b + overlaps).
[[nodiscard]] Ns common_length(const std::vector<Interval>& a, const std::vector<Interval>& b);
[[nodiscard]] Ns common_length(Interval a, const std::vector<Interval>& b);

/// Returns the overlap. O(a + b).
[[nodiscard]] std::vector<Interval> common(const std::vector<Interval>& a, const std::vector<Interval>& b);

/// Subtracts `other` from `from`. O(from + other).
[[nodiscard]] std::vector<Interval> without(std::span<const Interval> from, std::span<const Interval> other);

/// True if `time` overlaps any of the intervals. O(log intervals).
[[nodiscard]] bool touches(const std::vector<Interval>& intervals, Interval time);

/// Sorts any intervals, drops empty ones and merges those that touch.
[[nodiscard]] std::vector<Interval> joined(std::vector<Interval> intervals);

/// Looks up nondecreasing times. O(1) amortized.
class IntervalWalk {
 public:
  /// `intervals` must outlive this object.
  explicit IntervalWalk(const std::vector<Interval>& intervals) : at_(intervals.begin()), end_(intervals.end()) {}

  /// True if an interval contains `time`. Intervals are half-open. `time` must not decrease between calls.
  [[nodiscard]] bool contains(Ns time) {
    while (at_ != end_ && at_->end <= time) ++at_;
    return at_ != end_ && at_->begin <= time;
  }

 private:
  std::vector<Interval>::const_iterator at_;
  std::vector<Interval>::const_iterator end_;
};

}  // namespace warpscope::analysis
