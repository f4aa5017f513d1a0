#include "core/rules/sampled_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/shared/statistics.hpp"
#include "core/base/format.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kSameSnapshot = 20'000'000;
constexpr Ns kMinute = 60'000'000'000;
constexpr Ns kLongestInterval = 10 * kMinute;
constexpr Ns kTraceInterval = 500'000'000;

std::vector<SampledSeries> utilization_from_traces(Facts& facts) {
  std::vector<SampledSeries> all;
  const trace::Profile& profile = facts.profile();
  for (const GpuWindow& gpu : facts.gpus()) {
    SampledSeries series;
    series.node = profile.nodes[profile.node_of_rank[gpu.rank]].label;
    series.instance = gpu.device;
    series.name = fmt::format("GPU {} of rank {}", profile.ranks[gpu.rank]->devices[gpu.device].id,
                              profile.ranks[gpu.rank]->number);
    const Ns end = gpu.busy.back().end;
    for (Ns at = gpu.busy.front().begin; at < end; at += kTraceInterval) {
      const Interval bin{at, std::min(end, at + kTraceInterval)};
      series.times.push_back(bin.end);
      series.values.push_back(100 * static_cast<double>(analysis::common_length({bin}, gpu.busy)) /
                              static_cast<double>(std::max<Ns>(1, bin.length())));
    }
    all.push_back(std::move(series));
  }
  return all;
}

/// By time: GPUs below and cores above their limits.
using Counts = std::map<Ns, std::pair<std::uint32_t, std::uint32_t>>;

std::vector<Snapshot> joined_snapshots(const Counts& counts) {
  std::vector<Snapshot> snapshots;
  for (const auto& [time, count] : counts) {
    if (snapshots.empty() || time - snapshots.back().time > kSameSnapshot) snapshots.push_back({time, 0, 0});
    snapshots.back().low_gpus += count.first;
    snapshots.back().high_cores += count.second;
  }
  return snapshots;
}

}  // namespace

std::vector<SampledSeries> sampled_series(Facts& facts, trace::Metric metric, bool* from_traces) {
  const trace::Profile& profile = facts.profile();
  std::vector<SampledSeries> all;
  for (const trace::Node& node : profile.nodes) {
    if (node.metrics == trace::Node::kNone) continue;
    for (const trace::MetricSeries& series : profile.metrics[node.metrics]->of(metric)) {
      const bool gpu = metric == trace::Metric::gpu_utilisation || metric == trace::Metric::gpu_memory;
      const bool numbered = gpu && series.instance != trace::MetricSeries::kNone;
      SampledSeries sampled{
          node.label, numbered ? fmt::format("GPU {}", series.instance) : series.name, series.instance, {}, {}};
      for (std::size_t i = 0; i < series.counter.size(); ++i) {
        if (std::isnan(series.counter.value(i))) continue;
        sampled.times.push_back(series.counter.time(i));
        sampled.values.push_back(static_cast<double>(series.counter.value(i)));
      }
      if (!sampled.times.empty()) all.push_back(std::move(sampled));
    }
  }
  const bool traces = all.empty() && metric == trace::Metric::gpu_utilisation;
  if (from_traces != nullptr) *from_traces = traces;
  return traces ? utilization_from_traces(facts) : all;
}

Evidence samples_of(Facts& facts, std::string title, const SampledSeries& series) {
  std::vector<double> shares;
  shares.reserve(series.values.size());
  for (const double percent : series.values) shares.push_back(percent / 100);
  return over_time(std::move(title), ColumnKind::share, series.times, shares, facts.profile().span.begin);
}

std::vector<NodeSnapshots> node_snapshots(Facts& facts, trace::Metric metric, double gpu_below, double core_above) {
  struct Node {
    Counts counts;
    bool gpus = false;
    bool cores = false;
  };
  std::map<std::string, Node> nodes;
  bool from_traces = false;
  for (const SampledSeries& gpu : sampled_series(facts, trace::Metric::gpu_utilisation, &from_traces)) {
    if (from_traces) break;  // other clocks and intervals than the cores'
    Node& node = nodes[gpu.node];
    node.gpus = true;
    for (std::size_t i = 0; i < gpu.times.size(); ++i)
      node.counts[gpu.times[i]].first += gpu.values[i] < gpu_below ? 1 : 0;
  }
  for (const SampledSeries& core : sampled_series(facts, metric)) {
    Node& node = nodes[core.node];
    node.cores = true;
    for (std::size_t i = 0; i < core.times.size(); ++i)
      node.counts[core.times[i]].second += core.values[i] > core_above ? 1 : 0;
  }
  std::vector<NodeSnapshots> snapshots;
  for (const auto& [name, node] : nodes)
    if (node.gpus && node.cores) snapshots.push_back({name, joined_snapshots(node.counts)});
  return snapshots;
}

void for_each_minute(const std::vector<Ns>& times, const std::function<void(std::size_t)>& visit) {
  if (times.empty()) return;
  std::size_t seen = 0;
  while (seen < times.size()) {
    const Ns end = times[seen] - (times[seen] % kMinute + kMinute) % kMinute + kMinute;
    // The end belongs to this minute, and starts the next one if no sample is before it.
    seen = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), end) - times.begin());
    visit(seen);
  }
}

AwsCounts counts_of(const std::vector<SampledSeries>& series) {
  return {0, 0, series.empty() ? 0 : static_cast<std::int64_t>(series.back().times.size())};
}

double quantile_of(const std::vector<double>& values, std::size_t first, std::size_t last, double fraction) {
  std::vector<double> sorted(values.begin() + static_cast<std::ptrdiff_t>(first),
                             values.begin() + static_cast<std::ptrdiff_t>(last));
  std::ranges::sort(sorted);
  return analysis::quantile(sorted, fraction);
}

Outcome without_metrics(std::string_view what) {
  return {Verdict::not_evaluable, fmt::format("There are no system metrics of {}.", what), {}, AwsCounts{}};
}

Outcome too_few_samples(std::size_t have, std::int64_t patience, Ns interval) {
  const auto missing = static_cast<Ns>(patience) + 1 - static_cast<Ns>(have);
  return {Verdict::insufficient_data,
          fmt::format("{} samples, more than {} needed{}.", format_count(static_cast<std::int64_t>(have)),
                      format_count(patience),
                      interval > 0 && interval < kLongestInterval
                          ? fmt::format(": {} more", format_duration(missing * interval))
                          : ""),
          {},
          AwsCounts{0, 0, static_cast<std::int64_t>(have)}};
}

Ns interval_of(const std::vector<Ns>& times) {
  if (times.size() < 2) return 0;
  std::vector<Ns> between;
  for (std::size_t i = 1; i < times.size(); ++i) between.push_back(times[i] - times[i - 1]);
  const auto middle = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2);
  std::ranges::nth_element(between, middle);
  return *middle;
}

}  // namespace warpscope::rules
