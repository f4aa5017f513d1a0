#include "core/analysis/shared/step_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/analysis/shared/statistics.hpp"

namespace warpscope::analysis {
namespace {

/// Values with durations, sorted by value.
struct Weighted {
  double value;
  double weight;
};

double quantile_by_weight(const std::vector<Weighted>& sorted, double total, double fraction) {
  double reached = 0;
  for (const Weighted& each : sorted) {
    reached += each.weight;
    if (reached >= fraction * total) return each.value;
  }
  return sorted.back().value;
}

}  // namespace

void CurveBuilder::sort() {
  const auto before = [](const Change& a, const Change& b) {
    return a.time != b.time ? a.time < b.time : a.change > b.change;
  };
  std::ranges::stable_sort(changes_, before);
}

namespace {

/// Value of a curve after some of its changes.
class Height {
 public:
  void add(double change) {
    sum_ += change;
    open_ += change > 0 ? 1 : change < 0 ? -1 : 0;
    if (open_ == 0) sum_ = 0;
  }
  [[nodiscard]] double value() const { return sum_; }

 private:
  double sum_ = 0;
  std::int64_t open_ = 0;  // rises without a matching fall; at 0 the value is exactly 0, despite rounding
};

}  // namespace

StepCurve CurveBuilder::curve() {
  sort();
  StepCurve curve;
  curve.times.reserve(changes_.size());
  curve.values.reserve(changes_.size());
  Height height;
  for (std::size_t i = 0; i < changes_.size();) {
    const Ns time = changes_[i].time;
    for (; i < changes_.size() && changes_[i].time == time; ++i) height.add(changes_[i].change);
    curve.end = time;
    if (!curve.empty() && curve.values.back() == height.value()) continue;
    curve.times.push_back(time);
    curve.values.push_back(height.value());
  }
  changes_ = {};
  return curve;
}

StepCurve CurveBuilder::every_change() {
  sort();
  StepCurve curve;
  curve.times.reserve(changes_.size());
  curve.values.reserve(changes_.size());
  Height height;
  for (const Change& each : changes_) {
    height.add(each.change);
    curve.times.push_back(each.time);
    curve.values.push_back(height.value());
    curve.end = each.time;
  }
  changes_ = {};
  return curve;
}

StepCurve within(StepCurve curve, const std::optional<Interval>& range) {
  if (!range || curve.empty()) return curve;
  StepCurve part;
  part.end = std::min(curve.end, range->end);
  for (std::size_t i = 0; i < curve.times.size() && curve.times[i] < range->end; ++i) {
    if (curve.until(i) <= range->begin && curve.times[i] < range->begin) continue;
    part.times.push_back(std::max(curve.times[i], range->begin));
    part.values.push_back(curve.values[i]);
  }
  return part;
}

Ns time_at_least(const StepCurve& curve, double level) {
  Ns sum = 0;
  for (std::size_t i = 0; i < curve.times.size(); ++i)
    if (curve.values[i] >= level) sum = saturating_add(sum, saturating_difference(curve.until(i), curve.times[i]));
  return sum;
}

CurveStatistics statistics_by_time(const StepCurve& curve, bool zeros) {
  std::vector<Weighted> sorted;
  CurveStatistics figures;
  double total = 0;
  double area = 0;
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    const auto held = static_cast<double>(saturating_difference(curve.until(i), curve.times[i]));
    if (held <= 0 || (!zeros && curve.values[i] == 0)) continue;
    sorted.push_back({curve.values[i], held});
    total += held;
    area += held * curve.values[i];
  }
  figures.count = sorted.size();
  if (sorted.empty()) return figures;
  std::ranges::sort(sorted, {}, [](const Weighted& each) { return each.value; });
  const double mean = area / total;
  double squares = 0;
  for (const Weighted& each : sorted) squares += each.weight * (each.value - mean) * (each.value - mean);
  figures.mean = mean;
  figures.stddev = std::sqrt(squares / total);
  figures.min = sorted.front().value;
  figures.quarter = quantile_by_weight(sorted, total, 0.25);
  figures.median = quantile_by_weight(sorted, total, 0.5);
  figures.three_quarters = quantile_by_weight(sorted, total, 0.75);
  figures.max = sorted.back().value;
  return figures;
}

CurveStatistics statistics_of_samples(std::vector<double> values) {
  CurveStatistics figures;
  figures.count = values.size();
  if (values.empty()) return figures;
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  figures.mean = mean;
  if (values.size() > 1) figures.stddev = std::sqrt(squares / (count - 1));
  figures.min = values.front();
  figures.quarter = quantile(values, 0.25);
  figures.median = quantile(values, 0.5);
  figures.three_quarters = quantile(values, 0.75);
  figures.max = values.back();
  return figures;
}

void append_curve_columns(std::vector<Column>& columns, const Column& value) {
  struct Name {
    const char* name;
    const char* csv;
    ColumnRole role = ColumnRole::none;
  };
  constexpr std::array kNames{Name{"mean", "mean", ColumnRole::mean},    Name{"std", "std", ColumnRole::stddev},
                              Name{"min", "min", ColumnRole::min},       Name{"25 %", "25%"},
                              Name{"median", "50%", ColumnRole::median}, Name{"75 %", "75%"},
                              Name{"max", "max", ColumnRole::max}};
  columns.push_back(Column(col::count).csv(value.csv_name + "_count"));
  for (const Name& each : kNames)
    columns.push_back(
        {each.name, value.unit, value.kind, each.role, value.csv_name + "_" + each.csv, value.csv_divisor});
}

void append_curve_cells(std::vector<Cell>& cells, const CurveStatistics& figures) {
  cells.emplace_back(figures.count);
  for (const std::optional<double>& each : {figures.mean, figures.stddev, figures.min, figures.quarter, figures.median,
                                            figures.three_quarters, figures.max})
    cells.emplace_back(each);
}

}  // namespace warpscope::analysis
