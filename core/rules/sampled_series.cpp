#include "core/rules/sampled_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kSameSnapshot = 20'000'000;
constexpr Ns kLongestInterval = 10 * kMinute;

/// Increases `interval` if the profile is too long for it.
std::vector<SampledSeries> utilization_from_traces(Facts& facts, Ns& interval) {
  std::vector<SampledSeries> all;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (gpu.busy.empty()) continue;
    analysis::TimeBins bins{measurable({gpu.busy.front().begin, gpu.busy.back().end}), interval};
    bins.widen(facts.gpus().size());
    interval = bins.width;
  }
  const trace::Profile& profile = facts.profile();
  for (const GpuWindow& gpu : facts.gpus()) {
    if (gpu.busy.empty()) continue;
    SampledSeries series;
    series.node = profile.nodes[profile.node_of_rank[gpu.rank]].label;
    series.rank = gpu.rank;
    series.instance = gpu.device;
    series.name = fmt::format("GPU {} of rank {}", profile.ranks[gpu.rank]->devices[gpu.device].id,
                              profile.ranks[gpu.rank]->number);
    const analysis::TimeBins bins{measurable({gpu.busy.front().begin, gpu.busy.back().end}), interval};
    auto next = gpu.busy.begin();
    for (std::uint64_t b = 0; b < bins.size(); ++b) {
      const Interval bin = bins[b];
      while (next->end <= bin.begin) ++next;
      Ns busy = 0;
      for (auto each = next; each != gpu.busy.end() && each->begin < bin.end; ++each)
        busy += std::min(each->end, bin.end) - std::max(each->begin, bin.begin);
      series.times.push_back(bin.end);
      series.values.push_back(100 * static_cast<double>(busy) / static_cast<double>(std::max<Ns>(1, bin.length())));
    }
    all.push_back(std::move(series));
  }
  return all;
}

/// Number of GPUs below and cores above their limits, by time.
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

void add_samples(SampledSeries& series, const trace::Counter& counter) {
  for (std::size_t i = 0; i < counter.size(); ++i) {
    if (std::isnan(counter.value(i))) continue;
    series.times.push_back(counter.time(i));
    series.values.push_back(static_cast<double>(counter.value(i)));
  }
}

std::vector<SampledSeries> sampled_series(Facts& facts, trace::Metric metric) {
  const trace::Profile& profile = facts.profile();
  std::vector<SampledSeries> all;
  for (std::uint32_t n = 0; n < profile.nodes.size(); ++n) {
    const trace::Node& node = profile.nodes[n];
    if (node.metrics == trace::Node::kNone) continue;
    for (const trace::MetricSeries& series : profile.metrics[node.metrics]->of(metric)) {
      const bool gpu = metric == trace::Metric::gpu_utilisation || metric == trace::Metric::gpu_memory;
      const bool numbered = gpu && series.instance != trace::MetricSeries::kNone;
      SampledSeries sampled{
          node.label, numbered ? fmt::format("GPU {}", series.instance) : series.name, series.instance, {}, {}};
      sampled.rows = MetricRows{n, metric, {}};
      if (series.instance != trace::MetricSeries::kNone) sampled.rows->instance = series.instance;
      add_samples(sampled, series.counter);
      if (!sampled.times.empty()) all.push_back(std::move(sampled));
    }
  }
  return all;
}

Place place_in(const SampledSeries& series, std::string text, Interval time) {
  Place place{std::move(text), series.rank, std::nullopt, time};
  place.metric = series.rows;
  return place;
}

std::string GpuSamples::source() const {
  return trace_interval == 0
             ? ""
             : fmt::format(" (utilization per {}, computed from the traces)", format_duration(trace_interval));
}

GpuSamples gpu_samples(Facts& facts, Ns trace_interval) {
  GpuSamples samples{sampled_series(facts, trace::Metric::gpu_utilisation)};
  if (!samples.gpus.empty()) return samples;
  samples.gpus = utilization_from_traces(facts, trace_interval);
  samples.trace_interval = trace_interval;
  return samples;
}

std::vector<analysis::NamedSamples> named(const std::vector<SampledSeries>& series, std::string_view suffix) {
  std::vector<analysis::NamedSamples> all;
  all.reserve(series.size());
  for (const SampledSeries& each : series) all.push_back({each.node, each.name + std::string(suffix), each.values});
  return all;
}

Evidence samples_of(Facts& facts, std::string title, const SampledSeries& series) {
  std::vector<double> shares;
  shares.reserve(series.values.size());
  for (const double percent : series.values) shares.push_back(percent / 100);
  return over_time(std::move(title), ColumnKind::share, series.times, shares, facts.profile().span.begin);
}

std::vector<NodeSnapshots> node_snapshots(Facts& facts, trace::Metric metric, double gpu_below, double core_above) {
  struct Node {
    std::uint32_t index = 0;
    Counts counts;
    bool gpus = false;
    bool cores = false;
  };
  std::map<std::string, Node> nodes;
  for (const SampledSeries& gpu : sampled_series(facts, trace::Metric::gpu_utilisation)) {
    Node& node = nodes[gpu.node];
    node.gpus = true;
    node.index = gpu.rows->node;
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
    if (node.gpus && node.cores) snapshots.push_back({name, node.index, joined_snapshots(node.counts)});
  return snapshots;
}

void for_each_scan(const std::vector<Ns>& times, Ns interval, const std::function<void(std::size_t)>& visit) {
  if (times.empty()) return;
  const Ns start = saturating_difference(times.front(), (times.front() % kMinute + kMinute) % kMinute);
  std::size_t seen = 0;
  while (seen < times.size()) {
    const Ns since = saturating_difference(times[seen], start);
    const Ns end = saturating_add(times[seen], interval - since % interval);
    // A sample exactly at the end belongs to this interval, unless no sample precedes it; in that case, it starts the
    // next interval.
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
  return {Verdict::not_evaluable, fmt::format("There are no system metrics for {}.", what), {}, AwsCounts{}};
}

Outcome too_few_samples(std::size_t have, std::int64_t patience, Ns interval, std::string_view source) {
  const auto missing = static_cast<Ns>(patience) + 1 - static_cast<Ns>(have);
  return {
      Verdict::insufficient_data,
      fmt::format("{}{}; more than {} needed{}.", counted(have, "sample", "samples"), source, format_count(patience),
                  interval > 0 && interval < kLongestInterval
                      ? fmt::format(" (record {} more)", format_duration(missing * interval))
                      : ""),
      {},
      AwsCounts{0, 0, static_cast<std::int64_t>(have)}};
}

Ns interval_of(const std::vector<Ns>& times) {
  if (times.size() < 2) return 0;
  std::vector<Ns> between;
  for (std::size_t i = 1; i < times.size(); ++i) between.push_back(saturating_difference(times[i], times[i - 1]));
  return analysis::upper_median(between);
}

}  // namespace warpscope::rules
