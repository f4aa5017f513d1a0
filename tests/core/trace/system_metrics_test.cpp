#include "core/trace/system_metrics.hpp"

#include <cmath>

#include "core/trace/profile.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::trace;

namespace {

constexpr Ns kMs = 1'000'000;

NodeMetrics::Origin origin_of(std::string node, std::string folder = "/job") {
  NodeMetrics::Origin origin;
  origin.node = std::move(node);
  origin.source = std::move(folder);
  return origin;
}

/// One core, sampled at these times in ms, with values 1, 2, 3 …
NodeMetrics core_at(const std::vector<Ns>& times) {
  MetricColumn column;
  MetricColumn::Series one{"cpu", "cpu0", "CPUUtilization", {}};
  for (const Ns time : times) {
    column.times.push_back(time * kMs);
    one.values.push_back(static_cast<float>(column.times.size()));
  }
  column.series.push_back(std::move(one));
  return NodeMetrics(origin_of("algo-1"), {column});
}

std::shared_ptr<const NodeMetrics> node_at(const std::string& node, Ns begin, const std::string& folder = "/job") {
  MetricColumn column;
  column.times = {begin, begin + 500 * kMs};
  column.series = {{"cpu", "cpu0", "CPUUtilization", {1, 2}}};
  return std::make_shared<const NodeMetrics>(origin_of(node, folder), std::vector<MetricColumn>{column});
}

std::shared_ptr<const Rank> rank_on(const std::string& host, std::int64_t number, const std::string& path) {
  auto rank = std::make_shared<Rank>();
  rank->host = host;
  rank->number = number;
  rank->source.path = path;
  rank->lane_start = {0};
  rank->span = {1000, 2000};
  return rank;
}

std::shared_ptr<const Profile> profile_of(std::vector<std::shared_ptr<const Rank>> ranks,
                                          std::vector<std::shared_ptr<const NodeMetrics>> metrics) {
  return assemble_profile("/job", std::make_shared<Dictionary>(), std::move(ranks), {}, true, std::move(metrics));
}

std::vector<std::string> labels_of(const Profile& profile) {
  std::vector<std::string> labels;
  for (const TreeEntry& entry : profile.tree.entries)
    labels.push_back(std::string(entry.level * 2u, ' ') + entry.label);
  return labels;
}

}  // namespace

TEST_CASE("a sample holds until the next one, and for one interval before a gap and at the end") {
  const NodeMetrics metrics = core_at({0, 500, 1000, 1500, 60'000, 60'500, 61'000});
  CHECK(metrics.interval() == 500 * kMs);
  CHECK(metrics.samples() == 7);
  REQUIRE(metrics.gaps().size() == 1);
  CHECK(metrics.gaps()[0] == Interval{2000 * kMs, 60'000 * kMs});
  CHECK(metrics.span() == Interval{0, 61'500 * kMs});
  const Counter& core = metrics.series()[0].counter;
  CHECK(core.summary(1500 * kMs, 2000 * kMs).mean == Approx(4));
  CHECK_FALSE(core.summary(2000 * kMs, 60'000 * kMs).any);
  CHECK_FALSE(core.summary(61'500 * kMs, 70'000 * kMs).any);
  // Unknown samples count neither as values nor as time.
  const Counter::Summary across = core.summary(1500 * kMs, 60'500 * kMs);
  CHECK(across.mean == Approx(4.5));
  CHECK(across.known == Approx(1000.0 * kMs));
  CHECK(across.min == 4);
  CHECK(across.max == 5);
}

TEST_CASE("neither a new sampling interval nor one lost sample is a gap") {
  const NodeMetrics changed = core_at({0, 500, 1000, 1500, 2000, 2500, 7500, 12'500, 17'500, 22'500, 27'500});
  CHECK(changed.gaps().empty());
  CHECK(core_at({0, 500, 1000, 2000, 2500, 3000}).gaps().empty());
  CHECK(core_at({0, 500, 1000, 3499, 4000, 4500}).gaps().empty());
  CHECK(core_at({0, 500, 1000, 3500, 4000, 4500}).gaps().size() == 1);
}

TEST_CASE("a single sample holds for half a second") {
  const NodeMetrics metrics = core_at({1000});
  CHECK(metrics.interval() == 0);
  CHECK(metrics.span() == Interval{1000 * kMs, 1500 * kMs});
  CHECK(metrics.gaps().empty());
}

TEST_CASE("series are identified by type, name and dimension, in display order") {
  MetricColumn column;
  column.times = {kMs};
  for (const auto& [type, name, dimension] :
       std::vector<std::array<const char*, 3>>{{"network", "TransmitBytesPerSecond", "Platform"},
                                               {"network", "ReceiveBytesPerSecond", "Algorithm"},
                                               {"memory", "MemoryUsedPercent", ""},
                                               {"gpu", "gpu1", "GPUMemoryUtilization"},
                                               {"gpu", "gpu0", "GPUUtilization"},
                                               {"cpu", "cpu10", "CPUUtilization"},
                                               {"cpu", "cpu2", "CPUUtilization"},
                                               {"cpu", "cpu2", "I/OWaitPercentage"},
                                               {"i/o", "IOPS", ""},
                                               {"fan", "fan0", "Speed"}})
    column.series.push_back({type, name, dimension, {1}});
  const NodeMetrics metrics(origin_of("algo-1"), {column});
  std::vector<std::string> names;
  for (const MetricSeries& one : metrics.series()) names.push_back(one.counter.name() + " " + one.counter.unit());
  CHECK(names == std::vector<std::string>{"CPU 2 utilization %", "CPU 10 utilization %", "CPU 2 I/O wait %",
                                          "GPU 0 utilization (sampled) %", "GPU 1 memory (sampled) %", "memory used %",
                                          "received B/s", "sent (platform) B/s", "operations ops/s", "fan0 (Speed) "});
  CHECK(metrics.of(Metric::cpu_utilisation).size() == 2);
  CHECK(metrics.first_of(Metric::gpu_utilisation) == 3);
  CHECK(metrics.of(Metric::disk_read).empty());
  CHECK(metrics.first_of(Metric::disk_read) == 8);
}

TEST_CASE("a mean is over the cores that have a value at that time") {
  MetricColumn both;
  both.times = {0, 500 * kMs, 1000 * kMs};
  both.series = {{"cpu", "cpu0", "CPUUtilization", {10, 20, 30}}, {"cpu", "cpu1", "CPUUtilization", {30, 40, 50}}};
  const NodeMetrics together(origin_of("algo-1"), {both});
  CHECK(together.mean(Metric::cpu_utilisation).value(1) == 30);
  CHECK(together.mean(Metric::cpu_utilisation).times() == together.series()[0].counter.times());
  CHECK(together.mean(Metric::host_memory).size() == 0);

  MetricColumn later;
  later.times = {1000 * kMs, 1500 * kMs};
  later.series = {{"cpu", "cpu2", "CPUUtilization", {100, 0}}};
  const NodeMetrics apart(origin_of("algo-1"), {both, later});
  const Counter& mean = apart.mean(Metric::cpu_utilisation);
  CHECK(mean.summary(0, 500 * kMs).mean == Approx(20));
  CHECK(mean.summary(1000 * kMs, 1500 * kMs).mean == Approx(60));
  CHECK(mean.summary(1500 * kMs, 2000 * kMs).mean == Approx(0));
}

TEST_CASE("hostile: a mean of thousands of cores that are never sampled together", "[hostile]") {
  // Each core has its own sample times; querying every core at every time would take 2 · 10^10 steps.
  constexpr std::uint32_t kCores = 8000;
  constexpr std::uint32_t kSamples = 300;
  std::vector<MetricColumn> columns(kCores);
  for (std::uint32_t core = 0; core < kCores; ++core) {
    MetricColumn::Series one{"cpu", "cpu" + std::to_string(core), "CPUUtilization", {}};
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      columns[core].times.push_back((Ns{i} * kCores + core) * kMs);
      one.values.push_back(core == 7 && i == 0 ? 1e30F : static_cast<float>(core % 100));
    }
    columns[core].series.push_back(std::move(one));
  }
  const NodeMetrics metrics(origin_of("algo-1"), std::move(columns));
  const Counter& mean = metrics.mean(Metric::cpu_utilisation);
  CHECK(mean.value(0) == 0);
  CHECK(mean.value(1) == 0.5F);
  CHECK(mean.value(100) > 1e27F);
  CHECK(mean.value(kCores + 7) == 49.5F);  // the very large value has left no trace
}

TEST_CASE("columns return the stored samples") {
  MetricColumn column;
  column.times = {0, 500 * kMs, 1000 * kMs, 90'000 * kMs};
  column.series = {{"cpu", "cpu0", "CPUUtilization", {1, 2, 3, 4}}, {"cpu", "cpu1", "CPUUtilization", {5, 6, 7, 8}}};
  const NodeMetrics metrics(origin_of("algo-1"), {column});
  const std::vector<MetricColumn> back = metrics.columns();
  REQUIRE(back.size() == 1);
  CHECK(back[0].times == column.times);
  REQUIRE(back[0].series.size() == 2);
  CHECK(back[0].series[1].values == column.series[1].values);
}

TEST_CASE("metrics are assigned to nodes by label, otherwise in order") {
  const auto by_folder =
      profile_of({rank_on("ip-1", 0, "/job/algo-1/a.json"), rank_on("ip-2", 1, "/job/algo-2/b.json")},
                 {node_at("algo-2", 0), node_at("algo-1", 0)});
  REQUIRE(by_folder->nodes.size() == 2);
  CHECK(by_folder->metrics[by_folder->nodes[1].metrics]->node() == "algo-2");
  CHECK_FALSE(by_folder->nodes[1].metrics_by_order);
  CHECK(by_folder->diagnostics.count("metrics-joined-by-order") == 0);

  const auto by_order = profile_of({rank_on("ip-1", 0, "/job/a.json"), rank_on("ip-2", 1, "/job/b.json")},
                                   {node_at("algo-2", 0), node_at("algo-10", 0), node_at("algo-2", 0, "/other")});
  REQUIRE(by_order->nodes.size() == 4);
  CHECK(by_order->nodes[0].metrics == Node::kNone);
  CHECK(by_order->nodes[1].host == "ip-2");
  CHECK(by_order->metrics[by_order->nodes[1].metrics]->origin().source == "/job");
  CHECK(by_order->nodes[1].metrics_by_order);
  CHECK(by_order->nodes[2].label == "algo-2");
  CHECK(by_order->nodes[2].ranks.empty());
  CHECK(by_order->nodes[3].label == "algo-10");
  CHECK(by_order->diagnostics.count("metrics-joined-by-order") == 1);
}

TEST_CASE("time zero is the first rank's, and the extent includes all metrics") {
  const auto both = profile_of({rank_on("ip-1", 0, "/job/a.json")}, {node_at("algo-1", 200)});
  CHECK(both->span == Interval{1000, 2000});
  CHECK(both->extent == Interval{200, 200 + 1000 * kMs});
  const auto alone = profile_of({}, {node_at("algo-1", 200)});
  CHECK(alone->span == alone->extent);
  CHECK(alone->span.begin == 200);
  CHECK(profile_of({rank_on("", 0, "/job/a.json")}, {})->extent == Interval{1000, 2000});
}

TEST_CASE("a node shows its cores below their mean, and sampled GPU metrics") {
  MetricColumn column;
  column.times = {kMs};
  for (const char* core : {"cpu0", "cpu1"}) column.series.push_back({"cpu", core, "CPUUtilization", {1}});
  for (const char* gpu : {"gpu0", "gpu1"}) column.series.push_back({"gpu", gpu, "GPUUtilization", {1}});
  column.series.push_back({"gpu", "gpu0", "GPUMemoryUtilization", {1}});
  column.series.push_back({"memory", "MemoryUsedPercent", "", {1}});
  column.series.push_back({"network", "ReceiveBytesPerSecond", "Algorithm", {1}});
  const auto metrics = std::make_shared<const NodeMetrics>(origin_of("algo-1"), std::vector<MetricColumn>{column});
  CHECK(labels_of(*profile_of({}, {metrics})) ==
        std::vector<std::string>{"algo-1", "  CPU", "    CPU 0 utilization", "    CPU 1 utilization",
                                 "  GPU utilization (sampled)", "    GPU 0 utilization (sampled)",
                                 "    GPU 1 utilization (sampled)", "  GPU 0 memory (sampled)", "  memory used",
                                 "  Network", "    received"});
}
