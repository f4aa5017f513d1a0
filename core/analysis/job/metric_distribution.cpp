// metric_distribution: quartiles of utilization and memory, and utilization differences between GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/job/sample_tables.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/sampled.hpp"

namespace warpscope::analysis::registered::metric_distribution {

namespace {

using trace::Metric;

constexpr std::array kCharts{kWorkloadChart, ChartSpec{.table = "metric-distribution", .kind = ChartKind::boxes}};

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
    all.push_back(samples_of(node, std::move(name), series.counter, input.scope.on_job()));
  }
  return all;
}

std::vector<NamedSamples> named(const std::vector<Samples>& all) {
  std::vector<NamedSamples> series;
  series.reserve(all.size());
  for (const Samples& samples : all) series.push_back({samples.node, samples.name, samples.values});
  return series;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Samples> all;
  std::vector<Samples> gpus;
  for (std::uint32_t n = 0; n < input.profile.nodes.size(); ++n) {
    const trace::Node& node = input.profile.nodes[n];
    const bool chosen = input.scope.ranks.empty() || std::ranges::any_of(input.scope.ranks, [&](std::uint32_t rank) {
                          return rank < input.profile.ranks.size() && input.profile.node_of_rank[rank] == n;
                        });
    if (node.metrics == trace::Node::kNone || !chosen) continue;
    const trace::NodeMetrics& metrics = *input.profile.metrics[node.metrics];
    all.push_back(samples_of(node, "CPU", metrics.mean(Metric::cpu_utilisation), input.scope.on_job()));
    for (Samples& gpu : gpus_of(input, n, Metric::gpu_utilisation)) {
      all.push_back(gpu);
      if (!gpu.values.empty()) gpus.push_back(std::move(gpu));
    }
    for (Samples& memory : gpus_of(input, n, Metric::gpu_memory)) all.push_back(std::move(memory));
  }
  Table boxes = box_table("metric-distribution", "Distribution of utilization and memory", named(all));
  boxes.note = boxes.rows() == 0
                   ? "There are no system metrics."
                   : "CPU values are averaged over the cores at each sample. Whiskers extend 1.5 interquartile ranges "
                     "beyond the quartiles, but not beyond the smallest and largest sample.";
  const std::vector<NamedSamples> compared = named(gpus);
  return std::vector{workload_table(compared), std::move(boxes), distances_table(compared)};
}

}  // namespace

extern const Analysis kAnalysis{
    "metric_distribution",
    "Distribution of system metrics",
    "Histogram of each GPU's utilization, quartiles of CPU, GPU and GPU memory utilization, and the distance between "
    "each pair of GPU histograms, as in SageMaker Debugger's report. Requires system metrics.",
    {},
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::metric_distribution
