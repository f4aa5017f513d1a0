#include "core/analysis/shared/system_usage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "core/analysis/shared/statistics.hpp"

namespace warpscope::analysis {

namespace {

using trace::Metric;

constexpr std::string_view kJobInterface = "Algorithm";

std::vector<double> values_of(const trace::Counter& counter, const std::optional<Interval>& range) {
  std::vector<double> values;
  for (std::size_t i = 0; i < counter.size(); ++i) {
    if (range && !range->contains(counter.time(i))) continue;
    if (!std::isnan(counter.value(i))) values.push_back(static_cast<double>(counter.value(i)));
  }
  return values;
}

/// True for one core's values of a performance counter; the sum over cores is a separate series.
bool of_one_core(const trace::MetricSeries& series) {
  return series.type == "cpu" && series.name.starts_with("cpu") && series.instance != trace::MetricSeries::kNone;
}

/// Returns the sum of the series at each time. Uses only network series of `interface`; files without dimensions have
/// only the job's own interface.
std::vector<double> summed(const trace::NodeMetrics& metrics, std::span<const Metric> parts,
                           const std::optional<Interval>& range, std::string_view interface = kJobInterface) {
  std::map<Ns, double> sums;
  for (const Metric part : parts)
    for (const trace::MetricSeries& series : metrics.of(part)) {
      if (series.dimension != interface && (!series.dimension.empty() || interface != kJobInterface)) continue;
      for (std::size_t i = 0; i < series.counter.size(); ++i) {
        const Ns time = series.counter.time(i);
        if (std::isnan(series.counter.value(i)) || (range && !range->contains(time))) continue;
        sums[time] += static_cast<double>(series.counter.value(i));
      }
    }
  std::vector<double> values;
  for (const auto& [time, sum] : sums) values.push_back(sum);
  return values;
}

void add_usage(std::vector<NodeUsage>& all, std::uint32_t node, std::string_view metric, std::string_view unit,
               std::vector<double> values) {
  if (values.empty()) return;
  std::ranges::sort(values);
  all.push_back({node, metric, unit, values.size(), values.back(), quantile(values, 0.99), quantile(values, 0.95),
                 quantile(values, 0.5), values.front()});
}

}  // namespace

std::vector<NodeUsage> system_usage(const trace::Profile& profile, std::optional<Interval> range) {
  static constexpr std::array kHostMemory{Metric::host_memory};
  static constexpr std::array kNetwork{Metric::network_received, Metric::network_sent};
  std::vector<NodeUsage> all;
  for (std::uint32_t n = 0; n < profile.nodes.size(); ++n) {
    if (profile.nodes[n].metrics == trace::Node::kNone) continue;
    const trace::NodeMetrics& metrics = *profile.metrics[profile.nodes[n].metrics];
    add_usage(all, n, kGpuUsage, "%", values_of(metrics.mean(Metric::gpu_utilisation), range));
    add_usage(all, n, kCpuUsage, "%", values_of(metrics.mean(Metric::cpu_utilisation), range));
    add_usage(all, n, "GPU memory", "%", values_of(metrics.mean(Metric::gpu_memory), range));
    add_usage(all, n, "host memory", "%", summed(metrics, kHostMemory, range));
    add_usage(all, n, "I/O wait", "%", values_of(metrics.mean(Metric::io_wait), range));
    add_usage(all, n, "network", "B/s", summed(metrics, kNetwork, range));
    add_usage(all, n, "remote memory access", "B/s", summed(metrics, kNetwork, range, "RDMA"));
    for (const Metric disk : {Metric::disk_read, Metric::disk_written, Metric::disk_operations})
      add_usage(all, n, trace::to_string(disk), trace::unit_of(disk), summed(metrics, std::span(&disk, 1), range));
    for (const trace::MetricSeries& series : metrics.of(Metric::other))
      if (!of_one_core(series))
        add_usage(all, n, series.counter.name(), series.counter.unit(), values_of(series.counter, range));
  }
  return all;
}

}  // namespace warpscope::analysis
