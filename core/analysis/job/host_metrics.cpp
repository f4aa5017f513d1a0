// host_metrics: sampled memory, disk and network usage of each node over time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/analysis/shared/time_bins.hpp"

namespace warpscope::analysis::registered::host_metrics {

namespace {

using trace::Metric;

/// Metrics with the same unit, shown in one chart.
struct MetricGroup {
  std::string_view name;
  std::string_view title;
  std::array<Metric, 2> metrics;
};
constexpr std::array kGroups{
    MetricGroup{"memory", "Host memory over time", {Metric::host_memory, Metric::host_memory}},
    MetricGroup{"disk", "Disk throughput over time", {Metric::disk_read, Metric::disk_written}},
    MetricGroup{"disk_operations", "Disk operations over time", {Metric::disk_operations, Metric::disk_operations}},
    MetricGroup{"network", "Network throughput over time", {Metric::network_received, Metric::network_sent}}};
constexpr std::array<std::string_view, 4> kNames{kGroups[0].name, kGroups[1].name, kGroups[2].name, kGroups[3].name};
constexpr std::array kParameters{choice_parameter("metric", "metrics to show", kNames), bin_parameter()};

Column value_column(Metric metric) {
  if (trace::is_percentage(metric)) return col::percent("used");
  const std::string unit(trace::unit_of(metric));
  return metric == Metric::disk_operations ? Column("operations", unit, ColumnKind::real)
                                           : Column("throughput", unit, ColumnKind::bytes);
}

Cell value_in(Metric metric, const trace::Counter::Summary& held) {
  if (!held.any) return {};
  if (trace::is_percentage(metric)) return held.mean / 100;
  if (metric == Metric::disk_operations) return held.mean;
  return std::llround(held.mean);
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const MetricGroup& group =
      *std::ranges::find(kGroups, std::string_view(input.values.text("metric")), &MetricGroup::name);
  const std::size_t kinds = group.metrics[0] == group.metrics[1] ? 1 : 2;
  Table table("host-metrics", std::string(group.title),
              {col::node, Column("series", col::name), col::begin(), col::end, value_column(group.metrics[0])});
  std::vector<std::uint32_t> nodes;
  for (std::size_t k = 0; k < kinds && nodes.empty(); ++k)
    nodes = nodes_sampling(profile, input.scope, group.metrics[k]);
  Ns interval = 0;
  std::size_t series = 0;
  for (const std::uint32_t node : nodes) {
    const trace::NodeMetrics& metrics = *profile.metrics[profile.nodes[node].metrics];
    interval = std::max(interval, metrics.interval());
    for (std::size_t k = 0; k < kinds; ++k) series += metrics.of(group.metrics[k]).size();
  }
  const auto bins = time_bins(sampled_extent(profile, input.scope), input.values, series, interval);
  if (!bins) return bins.error();
  for (const std::uint32_t node : nodes) {
    const trace::NodeMetrics& metrics = *profile.metrics[profile.nodes[node].metrics];
    for (std::size_t k = 0; k < kinds; ++k) {
      for (const trace::MetricSeries& each : metrics.of(group.metrics[k])) {
        for (std::uint64_t b = 0; b < bins->size() && !cancelled(input.cancel); ++b) {
          const Interval bin = (*bins)[b];
          table.add_row({profile.nodes[node].label, each.counter.name(), bin.begin - profile.span.begin,
                         bin.end - profile.span.begin,
                         value_in(group.metrics[k], each.counter.summary(bin.begin, bin.end))});
        }
      }
    }
  }
  table.note = nodes.empty() ? fmt::format("There are no {} samples.", trace::to_string(group.metrics[0]))
                             : joined_notes({"Mean of the samples in each bin.", bins->note()});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{"host_metrics", "Host memory, disk and network over time",
                                "Sampled memory usage, disk throughput, disk operations, or network throughput of each "
                                "node. Requires system metrics.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::host_metrics
