// system_usage: quantiles of system metrics, recomputed here by sorting.
#include "core/analysis/shared/system_usage.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/analysis/request/registry.hpp"
#include "tests/catch.hpp"
#include "tests/core/rules/sampled_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Linear interpolation between the two nearest ranks.
double quantile_by_sorting(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double at = fraction * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(at));
  const std::size_t high = std::min(values.size() - 1, low + 1);
  return values[low] + (at - std::floor(at)) * (values[high] - values[low]);
}

}  // namespace

TEST_CASE("system usage is the spread of the means over a node's GPUs") {
  const auto first = [](std::size_t i) { return static_cast<double>(i * 37 % 101); };
  const auto second = [](std::size_t i) { return static_cast<double>(i * 53 % 97); };
  const auto profile = sampled_profile({{{first, second}, {}, {always(12)}, {}}, {{always(80)}}}, 300);
  std::vector<double> means;
  for (std::size_t i = 0; i < 300; ++i) means.push_back((first(i) + second(i)) / 2);
  const auto usage = analysis::system_usage(*profile);
  REQUIRE(usage.size() == 3);
  CHECK(usage[0].metric == analysis::kGpuUsage);
  CHECK(usage[0].samples == 300);
  CHECK(usage[0].max == Approx(*std::max_element(means.begin(), means.end())));
  CHECK(usage[0].p99 == Approx(quantile_by_sorting(means, 0.99)));
  CHECK(usage[0].p95 == Approx(quantile_by_sorting(means, 0.95)));
  CHECK(usage[0].p50 == Approx(quantile_by_sorting(means, 0.5)));
  CHECK(usage[0].min == Approx(*std::min_element(means.begin(), means.end())));
  CHECK(usage[1].metric == analysis::kCpuUsage);
  CHECK(usage[1].p95 == Approx(12));
  CHECK(usage[2].node == 1);
  SECTION("only samples in a range") {
    const auto part = analysis::system_usage(*profile, Interval{kHalfSecond, 11 * kHalfSecond});
    REQUIRE(part.size() == 3);
    CHECK(part[0].samples == 10);
    CHECK(part[0].max == Approx(*std::max_element(means.begin(), means.begin() + 10)));
  }
}

TEST_CASE("network usage is the sum of both directions of the job's own interface") {
  trace::MetricColumn column{{1'000, 2'000, 3'000}, {}};
  column.series.push_back({"network", "ReceiveBytesPerSecond", "Algorithm", {10, 20, 30}});
  column.series.push_back({"network", "TransmitBytesPerSecond", "Algorithm", {1, 2, 3}});
  column.series.push_back({"network", "ReceiveBytesPerSecond", "Platform", {1'000, 1'000, 1'000}});
  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  const auto metrics = std::make_shared<const trace::NodeMetrics>(origin, std::vector{column});
  const auto profile =
      trace::assemble_profile("/job", std::make_shared<const trace::Dictionary>(), {}, {}, true, {metrics});
  const auto usage = analysis::system_usage(*profile);
  REQUIRE(usage.size() == 1);
  CHECK(usage[0].unit == "B/s");
  CHECK(usage[0].max == Approx(33));
  CHECK(usage[0].min == Approx(11));
  const auto tables = analysis::run_analysis(*analysis::find_analysis("system_usage"), *profile, {}, {});
  REQUIRE(tables);
  CHECK(tables->front().rows() == 1);
}

TEST_CASE("system usage has disk, remote memory access and performance counters") {
  trace::MetricColumn column{{1'000, 2'000}, {}};
  column.series.push_back({"i/o", "IOPS", "", {5, 7}});
  column.series.push_back({"i/o", "ReadThroughputInBytesPerSecond", "", {10, 20}});
  column.series.push_back({"i/o", "WriteThroughputInBytesPerSecond", "", {30, 40}});
  column.series.push_back({"network", "ReceiveBytesPerSecond", "RDMA", {100, 200}});
  column.series.push_back({"cpu", "cpu0", "r01c2", {1, 2}});
  column.series.push_back({"cpu", "cpu1", "r01c2", {2, 3}});
  column.series.push_back({"cpu", "r01c2", "all CPUs", {3, 5}});
  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  const auto metrics = std::make_shared<const trace::NodeMetrics>(origin, std::vector{column});
  const auto profile =
      trace::assemble_profile("/job", std::make_shared<const trace::Dictionary>(), {}, {}, true, {metrics});
  std::vector<std::tuple<std::string_view, std::string_view, double>> rows;
  for (const analysis::NodeUsage& usage : analysis::system_usage(*profile))
    rows.emplace_back(usage.metric, usage.unit, usage.max);
  CHECK(rows ==
        std::vector<std::tuple<std::string_view, std::string_view, double>>{{"remote memory access", "B/s", 200},
                                                                            {"disk read", "B/s", 20},
                                                                            {"disk written", "B/s", 40},
                                                                            {"disk operations", "ops/s", 7},
                                                                            {"r01c2 (all CPUs)", "/s", 5}});
}
