#include "core/analysis/shared/step_curve.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

namespace {

StepCurve curve_of(const std::vector<std::pair<Ns, double>>& changes) {
  CurveBuilder builder;
  for (const auto& [time, change] : changes) builder.add(time, change);
  return builder.curve();
}

}  // namespace

TEST_CASE("a curve has each value once, at its start") {
  const StepCurve curve = curve_of({{30, -1}, {10, 1}, {20, 1}, {20, -1}, {40, 1}, {40, 1}, {50, -2}});
  CHECK(curve.times == std::vector<Ns>{10, 30, 40, 50});
  CHECK(curve.values == std::vector<double>{1, 0, 2, 0});
  CHECK(curve.end == 50);
  CHECK(CurveBuilder().curve().empty());
}

TEST_CASE("every_change keeps every change, rises first") {
  CurveBuilder builder;
  for (const auto& [time, change] : std::vector<std::pair<Ns, double>>{{20, -1}, {10, 1}, {20, 1}, {30, -1}})
    builder.add(time, change);
  const StepCurve curve = builder.every_change();
  CHECK(curve.times == std::vector<Ns>{10, 20, 20, 30});
  CHECK(curve.values == std::vector<double>{1, 2, 1, 0});
}

TEST_CASE("rounding remainders are not values") {
  const StepCurve curve = curve_of({{1, 0.1}, {2, 0.2}, {3, -0.1}, {4, -0.2}});
  CHECK(curve.values.back() == 0);
  CurveBuilder builder;
  for (const auto& [time, change] : std::vector<std::pair<Ns, double>>{{1, 0.1}, {2, 0.2}, {3, -0.1}, {4, -0.2}})
    builder.add(time, change);
  CHECK(builder.every_change().values.back() == 0);
}

TEST_CASE("part of a curve starts with the current value") {
  const StepCurve curve = curve_of({{10, 1}, {20, 1}, {30, -2}});
  const StepCurve middle = within(curve, Interval{15, 25});
  CHECK(middle.times == std::vector<Ns>{15, 20});
  CHECK(middle.values == std::vector<double>{1, 2});
  CHECK(middle.end == 25);
  CHECK(within(curve, Interval{0, 100}).times == curve.times);
  CHECK(within(curve, Interval{0, 100}).end == 30);
  CHECK(within(curve, Interval{31, 100}).empty());
  CHECK(within(curve, Interval{0, 10}).empty());
  CHECK(within(curve, std::nullopt).times == curve.times);
}

TEST_CASE("time-weighted statistics weigh each value by its duration") {
  const StepCurve curve = curve_of({{0, 1}, {90, 9}, {100, -10}});  // 1 for 90 ns, 10 for 10 ns
  const CurveStatistics figures = statistics_by_time(curve, true);
  CHECK(figures.count == 2);
  CHECK(figures.mean.value() == Approx(1.9));
  CHECK(figures.stddev.value() == Approx(2.7));
  CHECK(figures.min.value() == 1);
  CHECK(figures.median.value() == 1);
  CHECK(figures.three_quarters.value() == 1);
  CHECK(figures.max.value() == 10);
  CHECK(time_at_least(curve, 10) == 10);
  CHECK(time_at_least(curve, 1) == 100);
  CHECK(time_at_least(curve, 11) == 0);
  CHECK_FALSE(statistics_by_time({}, true).mean.has_value());
}

TEST_CASE("times at 0 count on request") {
  const StepCurve curve = curve_of({{0, 4}, {10, -4}, {30, 2}, {40, -2}});
  CHECK(statistics_by_time(curve, false).mean.value() == Approx(3));
  CHECK(statistics_by_time(curve, true).mean.value() == Approx(1.5));
  CHECK(statistics_by_time(curve, true).min.value() == 0);
}

TEST_CASE("sample statistics agree with pandas") {
  const CurveStatistics figures = statistics_of_samples({1, 0, 2, 0});
  CHECK(figures.count == 4);
  CHECK(figures.mean.value() == Approx(0.75));
  CHECK(figures.stddev.value() == Approx(0.9574271077563381));
  CHECK(figures.quarter.value() == 0);
  CHECK(figures.median.value() == Approx(0.5));
  CHECK(figures.three_quarters.value() == Approx(1.25));
  CHECK_FALSE(statistics_of_samples({3}).stddev.has_value());
}

TEST_CASE("curves and statistics agree with a walk over every nanosecond") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> values(64, 0);
    CurveBuilder builder;
    for (int i = 0; i < 12; ++i) {
      const auto begin = static_cast<Ns>(random() % 60);
      const Ns end = begin + static_cast<Ns>(random() % 4);
      builder.add(begin, 1);
      builder.add(end, -1);
      for (Ns t = begin; t < end; ++t) ++values[static_cast<std::size_t>(t)];
    }
    const StepCurve curve = builder.curve();
    if (curve.empty()) continue;
    const Interval range{static_cast<Ns>(random() % 30), 30 + static_cast<Ns>(random() % 34)};
    const StepCurve part = within(curve, range);
    Ns full = 0;
    std::vector<double> held;
    for (Ns t = std::max(range.begin, curve.times.front()); t < std::min(range.end, curve.end); ++t) {
      held.push_back(values[static_cast<std::size_t>(t)]);
      full += values[static_cast<std::size_t>(t)] >= 2;
    }
    CHECK(time_at_least(part, 2) == full);
    if (held.empty()) continue;
    std::sort(held.begin(), held.end());
    const CurveStatistics figures = statistics_by_time(part, true);
    double sum = 0;
    for (const double value : held) sum += value;
    CHECK(figures.mean.value() == Approx(sum / static_cast<double>(held.size())));
    CHECK(figures.min.value() == held.front());
    CHECK(figures.max.value() == held.back());
    CHECK(figures.median.value() == held[(held.size() - 1) / 2]);
  }
}
