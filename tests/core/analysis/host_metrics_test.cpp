// host_metrics: binned samples of memory, disk and network.
#include "core/trace/system_metrics.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/table_rows.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

Table host_metrics(const trace::Profile& profile, const std::string& metric) {
  return tables_of(profile, "host_metrics", {{"metric", metric}, {"bin", "500ms"}}).front();
}

}  // namespace

TEST_CASE("host metrics have one series per direction, in the metric's unit") {
  constexpr Ns kHalf = 500'000'000;
  trace::MetricColumn column{{kHalf, 2 * kHalf}, {}};
  column.series.push_back({"memory", "MemoryUsedPercent", "", {25, 50}});
  column.series.push_back({"i/o", "ReadThroughputInBytesPerSecond", "", {1000, 3000}});
  column.series.push_back({"i/o", "WriteThroughputInBytesPerSecond", "", {0, 8}});
  column.series.push_back({"i/o", "IOPS", "", {1.5, 2}});
  column.series.push_back({"network", "TransmitBytesPerSecond", "Algorithm", {7, 9}});
  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  const auto metrics = std::make_shared<const trace::NodeMetrics>(origin, std::vector{column});
  const auto profile =
      trace::assemble_profile("/job", std::make_shared<const trace::Dictionary>(), {}, {}, true, {metrics});
  CHECK(row_texts(host_metrics(*profile, "memory")) ==
        std::vector<std::string>{"algo-1 memory used 0 500000000 0.25", "algo-1 memory used 500000000 1000000000 0.5"});
  CHECK(row_texts(host_metrics(*profile, "disk")) ==
        std::vector<std::string>{"algo-1 read 0 500000000 1000", "algo-1 read 500000000 1000000000 3000",
                                 "algo-1 written 0 500000000 0", "algo-1 written 500000000 1000000000 8"});
  CHECK(row_texts(host_metrics(*profile, "disk_operations")).front() == "algo-1 operations 0 500000000 1.5");
  CHECK(row_texts(host_metrics(*profile, "network")) ==
        std::vector<std::string>{"algo-1 sent 0 500000000 7", "algo-1 sent 500000000 1000000000 9"});
  CHECK(host_metrics(*profile, "disk").columns().back().unit == "B/s");

  const auto without = trace::assemble_profile("/job", std::make_shared<const trace::Dictionary>(), {}, {}, true, {});
  CHECK(host_metrics(*without, "disk").note == "There are no disk read samples.");
}
