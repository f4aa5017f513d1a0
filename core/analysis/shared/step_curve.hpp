#pragma once
// A value that changes at certain times and holds in between, as queue lengths and bandwidths do, and the figures by
// which it is described. How long a value held counts, not how often it changed: a queue that was full for a second is
// not short because it was filled in a millisecond. HTA describes the changes, each as one sample; that can be had for
// comparison.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/table.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

struct StepCurve {
  std::vector<Ns> times;       ///< ns, absolute, ascending
  std::vector<double> values;  ///< beside each time: holds from there until the next
  Ns end = 0;                  ///< until when the last one holds

  [[nodiscard]] bool empty() const { return times.empty(); }
  /// Until when value `i` holds.
  [[nodiscard]] Ns until(std::size_t i) const { return i + 1 < times.size() ? times[i + 1] : end; }
};

/// A curve from changes of its value, which is 0 before the first of them. Making the curve takes the changes.
class CurveBuilder {
 public:
  void add(Ns time, double change) { changes_.push_back({time, change}); }

  /// The value after each time at which something changed; values of no duration are left out, as are times at which
  /// it changed from what it was to the same. It ends with the last change. O(n log n).
  [[nodiscard]] StepCurve curve();
  /// The value after each change, rises before falls where times are equal. O(n log n).
  [[nodiscard]] StepCurve every_change();

 private:
  struct Change {
    Ns time;
    double change;
  };
  void sort();

  std::vector<Change> changes_;
};

/// What of the curve lies in the range: it begins with the value that holds there. `range`: nothing for all of it.
[[nodiscard]] StepCurve within(StepCurve curve, const std::optional<Interval>& range);

/// For how long its value was at least `level`. O(n).
[[nodiscard]] Ns time_at_least(const StepCurve& curve, double level);

/// Figures of values; none if there are none.
struct CurveStatistics {
  std::uint64_t count = 0;  ///< of values
  std::optional<double> mean{};
  std::optional<double> stddev{};
  std::optional<double> min{};
  std::optional<double> quarter{};
  std::optional<double> median{};
  std::optional<double> three_quarters{};
  std::optional<double> max{};
};

/// Each value counts for as long as it held, those that are 0 only if `zeros`. A quantile is the least value that was
/// not exceeded for that part of the time. O(n log n).
[[nodiscard]] CurveStatistics statistics_by_time(const StepCurve& curve, bool zeros);
/// Each value counts once, as pandas' describe() has it: the deviation is of a sample. O(n log n).
[[nodiscard]] CurveStatistics statistics_of_samples(std::vector<double> values);

/// Appends "count", "mean", "std", "min", "25 %", "median", "75 %", "max" of what `value` is a column of; in CSV its
/// name there and pandas' names of them stand together ("queue_length_mean"). Or their cells.
void append_curve_columns(std::vector<Column>& columns, const Column& value);
void append_curve_cells(std::vector<Cell>& cells, const CurveStatistics& statistics);

}  // namespace warpscope::analysis
