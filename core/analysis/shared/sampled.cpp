#include "core/analysis/shared/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

using trace::Metric;
using trace::MetricSeries;
using trace::NodeMetrics;

namespace {

const NodeMetrics& metrics_of(const trace::Profile& profile, std::uint32_t node) {
  return *profile.metrics[profile.nodes[node].metrics];
}

std::string_view instance_word(Metric metric) { return metric == Metric::gpu_utilisation ? "gpu" : "cpu"; }
ColumnRole instance_role(Metric metric) {
  return metric == Metric::gpu_utilisation ? ColumnRole::gpu : ColumnRole::none;
}

struct SampleCounts {
  std::uint64_t active = 0;  ///< above 0
  std::uint64_t idle = 0;
  double sum = 0;  ///< of the values, in percent

  [[nodiscard]] std::uint64_t all() const { return active + idle; }
  void add(const SampleCounts& more) {
    active += more.active;
    idle += more.idle;
    sum += more.sum;
  }
};

/// Counts samples valid anywhere in the range; the last one is valid for `interval`.
SampleCounts count_samples(const trace::Counter& series, Interval range, Ns interval) {
  SampleCounts counts;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Ns end = i + 1 < series.size() ? series.time(i + 1) : saturating_add(series.time(i), interval);
    if (std::isnan(series.value(i)) || series.time(i) >= range.end || end <= range.begin) continue;
    ++(series.value(i) > 0 ? counts.active : counts.idle);
    counts.sum += static_cast<double>(series.value(i));
  }
  return counts;
}

SampleCounts count_samples(const trace::Profile& profile, const std::vector<std::uint32_t>& nodes, Metric metric,
                           Interval range) {
  SampleCounts sum;
  for (const std::uint32_t node : nodes)
    for (const MetricSeries& series : metrics_of(profile, node).of(metric))
      sum.add(count_samples(series.counter, range, metrics_of(profile, node).interval()));
  return sum;
}

/// Returns "Active means above 0 %; the mean is 37.2 %.", or only the mean; "" without samples.
std::string mean_text(const SampleCounts& counts, bool active) {
  if (counts.all() == 0) return "";
  return fmt::format("{} mean is {:.1f} %.", active ? "Active means above 0 %; the" : "The",
                     counts.sum / static_cast<double>(counts.all()));
}

Cell instance_of(const MetricSeries& series) {
  return series.instance == MetricSeries::kNone ? Cell() : Cell(series.instance);
}

/// Returns the longest time between two consecutive samples, excluding gaps. O(samples).
Ns longest_step(const trace::Counter& series) {
  Ns longest = 0;
  for (std::size_t i = 1; i < series.size(); ++i)
    if (!std::isnan(series.value(i)) && !std::isnan(series.value(i - 1)))
      longest = std::max(longest, series.time(i) - series.time(i - 1));
  return longest;
}

/// Returns "every 500 ms" or "about every 500 ms, up to 1.20 s apart,".
std::string interval_text(Ns usual, Ns longest) {
  constexpr Ns kRegularPercent = 150;  // of the usual interval; agents are late by a few ms
  if (longest / kRegularPercent < usual / 100 || usual == 0) return "every " + format_duration(usual);
  return fmt::format("about every {}, up to {} apart,", format_duration(usual), format_duration(longest));
}

/// `range`: time range of the samples; not mentioned if empty.
std::string note_of(const trace::Profile& profile, const std::vector<std::uint32_t>& nodes, Metric metric,
                    Interval range) {
  std::size_t series = 0;
  Ns interval = 0;
  Ns longest = 0;
  for (const std::uint32_t node : nodes) {
    const std::span<const MetricSeries> own = metrics_of(profile, node).of(metric);
    series += own.size();
    interval = std::max(interval, metrics_of(profile, node).interval());
    if (!own.empty()) longest = std::max(longest, longest_step(own.front().counter));  // sampled together
  }
  const bool gpu = metric == Metric::gpu_utilisation;
  std::string text = fmt::format("Sampled {} on {} {} in {} {}", interval_text(interval, longest), series,
                                 gpu ? (series == 1 ? "GPU" : "GPUs") : (series == 1 ? "core" : "cores"), nodes.size(),
                                 nodes.size() == 1 ? "node" : "nodes");
  // Agents sample during the whole job; profilers trace a few steps of it.
  if (range.length() > 0 && !profile.ranks.empty() && range.length() > profile.span.length())
    text += fmt::format(" over {}; the traces cover {} of that", format_duration(range.length()),
                        format_duration(profile.span.length()));
  return text + ".";
}

}  // namespace

std::vector<std::uint32_t> nodes_sampling(const trace::Profile& profile, const Scope& scope, Metric metric) {
  std::vector<bool> wanted(profile.nodes.size(), scope.ranks.empty());
  if (!scope.ranks.empty())
    for (const std::uint32_t rank : ranks_in(profile, scope)) wanted[profile.node_of_rank[rank]] = true;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < profile.nodes.size(); ++node)
    if (wanted[node] && profile.nodes[node].metrics != trace::Node::kNone &&
        !metrics_of(profile, node).of(metric).empty())
      nodes.push_back(node);
  return nodes;
}

Result<bool> wants_samples(const AnalysisInput& input, Metric metric, bool preferred) {
  const std::string& source = input.values.text("source");
  if (source != "auto" && source != kSampled) return false;
  const bool there = !nodes_sampling(input.profile, input.scope, metric).empty();
  if (source == kSampled && !there)
    return Error{"source", fmt::format("cannot be sampled: there are no {} samples", to_string(metric)),
                 "put SageMaker Debugger's system metrics (profiler-output/system) next to the traces"};
  return there && (source == kSampled || preferred);
}

Interval sampled_extent(const trace::Profile& profile, const Scope& scope) {
  return scope.on_job().value_or(profile.extent);
}

std::vector<Table> sampled_active_tables(const AnalysisInput& input, Metric metric, const Table& like) {
  const trace::Profile& profile = input.profile;
  const std::vector<std::uint32_t> nodes = nodes_sampling(profile, input.scope, metric);
  const Interval range = sampled_extent(profile, input.scope);
  Table each("each", like.title + ", each",
             {col::node,
              {std::string(instance_word(metric)), "", ColumnKind::identifier, instance_role(metric)},
              Column("active", ColumnKind::integer, col::active),
              Column("idle", ColumnKind::integer, col::idle),
              col::percent("active share")});
  const SampleCounts sum = count_samples(profile, nodes, metric, range);
  for (const std::uint32_t node : nodes) {
    for (const MetricSeries& series : metrics_of(profile, node).of(metric)) {
      const SampleCounts own = count_samples(series.counter, range, metrics_of(profile, node).interval());
      each.add_row(
          {profile.nodes[node].label, instance_of(series), own.active, own.idle, share_of(own.active, own.all())});
    }
  }
  Table table(like.id, like.title, {col::state, col::samples, col::share});
  if (sum.all() > 0) {
    table.add_row({state_cell(WorkState::active), sum.active, share_of(sum.active, sum.all())});
    table.add_row({state_cell(WorkState::idle), sum.idle, share_of(sum.idle, sum.all())});
  }
  table.note = sum.all() > 0 ? joined_notes({mean_text(sum, true), note_of(profile, nodes, metric, range)})
                             : "No samples in this range. " + note_of(profile, nodes, metric, {});
  each.note = table.note;
  return {std::move(table), std::move(each)};
}

Result<std::vector<Table>> sampled_series_tables(const AnalysisInput& input, Metric metric, const Table& like) {
  const trace::Profile& profile = input.profile;
  const std::vector<std::uint32_t> nodes = nodes_sampling(profile, input.scope, metric);
  const Interval range = sampled_extent(profile, input.scope);
  Ns interval = 0;
  for (const std::uint32_t node : nodes) interval = std::max(interval, metrics_of(profile, node).interval());
  const auto bins = time_bins(range, input.values, nodes.size(), interval);
  if (!bins) return bins.error();
  Table table(like.id, like.title, {col::node, col::begin(), col::end, col::utilization});
  Table each("each", like.title + ", each",
             {col::node,
              {std::string(instance_word(metric)), "", ColumnKind::identifier, instance_role(metric)},
              Column("mean", ColumnKind::share, col::mean),
              col::percent("least"),
              col::percent("greatest")});
  table.reserve(nodes.size() * bins->size());
  for (const std::uint32_t node : nodes) {
    const NodeMetrics& metrics = metrics_of(profile, node);
    for (std::uint64_t b = 0; b < bins->size() && !cancelled(input.cancel); ++b) {
      const Interval bin = (*bins)[b];
      const trace::Counter::Summary held = metrics.mean(metric).summary(bin.begin, bin.end);
      table.add_row({profile.nodes[node].label, bin.begin - profile.span.begin, bin.end - profile.span.begin,
                     held.any ? Cell(held.mean / 100) : Cell()});
    }
    for (const MetricSeries& series : metrics.of(metric)) {
      const trace::Counter::Summary held = series.counter.summary(range.begin, range.end);
      if (held.any)
        each.add_row({profile.nodes[node].label, instance_of(series), held.mean / 100, held.min / 100, held.max / 100});
    }
  }
  table.note = joined_notes({mean_text(count_samples(profile, nodes, metric, range), false),
                             note_of(profile, nodes, metric, range), bins->note()});
  each.note = note_of(profile, nodes, metric, range);
  return std::vector{std::move(table), std::move(each)};
}

}  // namespace warpscope::analysis
