// metric_distribution: quartiles of utilization and memory, and how differently GPUs are used.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/job/spread.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/sampled.hpp"

namespace warpscope::analysis::registered::metric_distribution {

namespace {

using trace::Metric;

constexpr std::size_t kShownBins = 10;
constexpr std::array kCharts{
    ChartSpec{.table = "gpu-workload", .kind = ChartKind::rows, .x = ColumnRole::kind, .y = ColumnRole::share}};

struct Samples {
  std::string node;
  std::string name;
  std::vector<double> values;
};

Samples samples_of(const trace::Node& node, std::string name, const trace::Counter& counter,
                   const std::optional<Interval>& range) {
  Samples samples{node.label, std::move(name), {}};
  for (std::size_t i = 0; i < counter.size(); ++i)
    if (!std::isnan(counter.value(i)) && (!range || range->contains(counter.time(i))))
      samples.values.push_back(static_cast<double>(counter.value(i)));
  return samples;
}

std::vector<Samples> gpus_of(const AnalysisInput& input, std::uint32_t n, Metric metric) {
  const trace::Node& node = input.profile.nodes[n];
  std::vector<Samples> all;
  for (const trace::MetricSeries& series : input.profile.metrics[node.metrics]->of(metric)) {
    std::string name =
        series.instance == trace::MetricSeries::kNone ? series.name : fmt::format("GPU {}", series.instance);
    if (metric == Metric::gpu_memory) name += " memory";
    all.push_back(samples_of(node, std::move(name), series.counter, input.scope.range));
  }
  return all;
}

void add_box(Table& table, const Samples& samples) {
  if (samples.values.empty()) return;
  const Box box = box_of(samples.values);
  std::vector<Cell> cells{samples.node, samples.name};
  for (const double value : {box.p50, box.p25, box.p75, box.p5, box.p95, box.lower, box.upper, box.min, box.max})
    cells.emplace_back(value / 100);
  cells.emplace_back(static_cast<std::int64_t>(box.count));
  table.add_row(cells);
}

Table workload_table(const std::vector<Samples>& gpus) {
  Table table("gpu-workload", "Utilization of each GPU",
              {{"node", "", ColumnRole::node},
               {"GPU", "", ColumnRole::name},
               {"utilization", "", ColumnRole::kind},
               {"samples", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
  for (const Samples& gpu : gpus) {
    const Workload bins = workload_of(gpu.values);
    const std::size_t joined = bins.size() / kShownBins;
    for (std::size_t b = 0; b < kShownBins; ++b) {
      double count = 0;
      for (std::size_t i = 0; i < joined; ++i) count += bins[b * joined + i];
      table.add_row({gpu.node, gpu.name, fmt::format("{} to {} %", b * 10, (b + 1) * 10),
                     static_cast<std::int64_t>(count), share_of(count, static_cast<double>(gpu.values.size()))});
    }
  }
  table.note = gpus.empty() ? "There are no samples of GPU utilization." : "Samples by GPU utilization.";
  return table;
}

Table distances_table(const std::vector<Samples>& gpus) {
  Table table("gpu-distances", "Distances between the GPUs' utilization",
              {{"node", "", ColumnRole::node},
               {"GPU", "", ColumnRole::name},
               {"other node", "", ColumnKind::text},
               {"other GPU", "", ColumnKind::text},
               {"distance", "", ColumnKind::real}});
  for (std::size_t a = 0; a < gpus.size(); ++a)
    for (std::size_t b = a + 1; b < gpus.size(); ++b)
      table.add_row({gpus[a].node, gpus[a].name, gpus[b].node, gpus[b].name,
                     workload_distance(workload_of(gpus[a].values), workload_of(gpus[b].values))});
  table.note = table.rows() > 0 ? "Square root of the Jensen-Shannon divergence of their histograms in bins of 2 %: 0 "
                                  "if they are used equally, 0.83 if never at the same level."
                                : "Needs at least two GPUs with samples.";
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"node", "", ColumnRole::node}, {"metric", "", ColumnRole::name}};
  columns.emplace_back("p50", "", ColumnKind::share, ColumnRole::median);
  for (const char* const name : {"p25", "p75", "p5", "p95", "lower whisker", "upper whisker", "min", "max"})
    columns.emplace_back(name, "", ColumnKind::share);
  columns.emplace_back("samples", "", ColumnKind::integer);
  Table boxes("metric-distribution", "Distribution of utilization and memory", std::move(columns));
  std::vector<Samples> gpus;
  for (std::uint32_t n = 0; n < input.profile.nodes.size(); ++n) {
    const trace::Node& node = input.profile.nodes[n];
    const bool chosen = input.scope.ranks.empty() || std::ranges::any_of(input.scope.ranks, [&](std::uint32_t rank) {
                          return rank < input.profile.ranks.size() && input.profile.node_of_rank[rank] == n;
                        });
    if (node.metrics == trace::Node::kNone || !chosen) continue;
    const trace::NodeMetrics& metrics = *input.profile.metrics[node.metrics];
    add_box(boxes, samples_of(node, "CPU", metrics.mean(Metric::cpu_utilisation), input.scope.range));
    for (Samples& gpu : gpus_of(input, n, Metric::gpu_utilisation)) {
      add_box(boxes, gpu);
      if (!gpu.values.empty()) gpus.push_back(std::move(gpu));
    }
    for (const Samples& memory : gpus_of(input, n, Metric::gpu_memory)) add_box(boxes, memory);
  }
  boxes.note = boxes.rows() == 0 ? "There are no system metrics."
                                 : "CPU: mean over the cores at each sample. Whiskers end 1.5 interquartile ranges "
                                   "beyond the quartiles, or at the smallest and largest sample.";
  return std::vector{workload_table(gpus), std::move(boxes), distances_table(gpus)};
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{"metric_distribution",
                         "Distribution of system metrics",
                         "How often each GPU is used how much, quartiles of CPU, GPU and GPU memory, and how much the "
                         "GPUs' utilization differs, as in SageMaker Debugger's report. Needs system metrics.",
                         {},
                         run,
                         false,
                         {},
                         nullptr,
                         kCharts};

}  // namespace warpscope::analysis::registered::metric_distribution
