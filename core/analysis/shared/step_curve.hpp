#pragma once
// A piecewise constant value over time, such as a queue depth or bandwidth, and its statistics. Values are weighted by
// duration, not by number of changes: a queue that was full for a second is deep even if it filled in a millisecond.
// HTA counts each change as one sample instead; its method is available for comparison.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/table.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

struct StepCurve {
  std::vector<Ns> times;       ///< ns, absolute, ascending
  std::vector<double> values;  ///< by time: valid from then until the next time
  Ns end = 0;                  ///< end of the last value

  [[nodiscard]] bool empty() const { return times.empty(); }
  /// Returns the time at which value `i` ends.
  [[nodiscard]] Ns until(std::size_t i) const { return i + 1 < times.size() ? times[i + 1] : end; }
};

/// Builds a curve from changes to a value that starts at 0. Building the curve consumes the changes.
class CurveBuilder {
 public:
  void add(Ns time, double change) { changes_.push_back({time, change}); }

  /// Returns the value after all changes at each time. Omits values of zero duration and times at which the value does
  /// not change. Ends with the last change. O(n log n).
  [[nodiscard]] StepCurve curve();
  /// Returns the value after each change, with increases before decreases that occur at the same time. O(n log n).
  [[nodiscard]] StepCurve every_change();

 private:
  struct Change {
    Ns time;
    double change;
  };
  void sort();

  std::vector<Change> changes_;
};

/// Clips the curve to the range. The result starts with the value at the start of the range. If `range` is nullopt,
/// returns the whole curve.
[[nodiscard]] StepCurve within(StepCurve curve, const std::optional<Interval>& range);

/// Returns the total time during which the value is at least `level`. O(n).
[[nodiscard]] Ns time_at_least(const StepCurve& curve, double level);

/// Statistics of values; all but `count` are empty if there are no values.
struct CurveStatistics {
  std::uint64_t count = 0;  ///< number of values
  std::optional<double> mean{};
  std::optional<double> stddev{};
  std::optional<double> min{};
  std::optional<double> quarter{};
  std::optional<double> median{};
  std::optional<double> three_quarters{};
  std::optional<double> max{};
};

/// Weights values by duration; includes zeros only if `zeros` is set. A quantile is the smallest value that is not
/// exceeded for that fraction of the time. O(n log n).
[[nodiscard]] CurveStatistics statistics_by_time(const StepCurve& curve, bool zeros);
/// Counts each value once, as pandas' describe() does, with the sample standard deviation. O(n log n).
[[nodiscard]] CurveStatistics statistics_of_samples(std::vector<double> values);

/// Appends the columns "count", "mean", "std", "min", "25 %", "median", "75 %" and "max" for column `value`;
/// append_curve_cells() appends the matching cells. CSV names combine the name of `value` with pandas' names
/// ("queue_length_mean").
void append_curve_columns(std::vector<Column>& columns, const Column& value);
void append_curve_cells(std::vector<Cell>& cells, const CurveStatistics& statistics);

}  // namespace warpscope::analysis
