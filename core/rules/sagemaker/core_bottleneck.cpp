#include "core/rules/sagemaker/core_bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules {

namespace {

bool is_bottleneck(const Snapshot& snapshot) { return snapshot.low_gpus > 0 && snapshot.high_cores > 0; }

/// Adds each run of consecutive snapshots with a bottleneck.
void add_places(const NodeSnapshots& node, std::vector<Place>& places) {
  const std::vector<Snapshot>& all = node.snapshots;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_bottleneck(all[i])) continue;
    const std::size_t from = i;
    while (i + 1 < all.size() && is_bottleneck(all[i + 1])) ++i;
    const Ns end = i + 1 < all.size() ? all[i + 1].time : all[i].time + 1;
    places.push_back({fmt::format("{}: {} GPUs below the limit, {} cores above", node.node, all[from].low_gpus,
                                  all[from].high_cores),
                      std::nullopt,
                      std::nullopt,
                      {all[from].time, end}});
    places.back().metric = MetricRows{node.node_index, trace::Metric::gpu_utilisation, {}};
  }
}

/// Counts the bottlenecks among the snapshots of each node.
Detail snapshots_table(const std::vector<NodeSnapshots>& nodes) {
  Table table("snapshots", "Snapshots by node",
              {{"node", "", ColumnRole::node},
               {"state", "", ColumnRole::kind},
               {"snapshots", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
  for (const NodeSnapshots& node : nodes) {
    std::array<std::int64_t, 3> counts{};
    for (const Snapshot& snapshot : node.snapshots)
      ++counts[is_bottleneck(snapshot) ? 0 : snapshot.low_gpus > 0 ? 1 : 2];
    constexpr std::array kStates{"bottleneck", "underused, no core above the limit", "in use"};
    for (std::size_t s = 0; s < kStates.size(); ++s)
      table.add_row({node.node, kStates[s], counts[s],
                     analysis::share_of(counts[s], static_cast<std::int64_t>(node.snapshots.size()))});
  }
  table.note =
      "A snapshot counts as underused if a GPU is below its limit, and as a bottleneck if a core is also above its "
      "limit.";
  return {std::move(table),
          {.table = {}, .kind = analysis::ChartKind::rows, .x = ColumnRole::kind, .y = ColumnRole::share}};
}

/// Returns the time of each phase of a process.
std::map<std::string, std::vector<Interval>> phases_of(const trace::Rank& rank) {
  std::map<std::string, std::vector<Interval>> phases;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    std::vector<Interval>& times = phases[track.label.substr(0, track.label.find(" · "))];
    for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
      for (trace::SliceOrdinal slice = rank.lane_start[l]; slice < rank.lane_start[l + 1]; ++slice)
        times.push_back({rank.begin(slice), saturating_add(rank.begin(slice), rank.duration(slice))});
    }
  }
  for (auto& [phase, times] : phases) times = joined(std::move(times));
  return phases;
}

/// Returns the fraction of a node's bottlenecks during which its processes are in each phase of their framework
/// timelines, as in the AWS report; phases nest, so fractions may add up to more than 1. Nullopt if there are no
/// framework timelines at these moments. O(slices + moments · phases · log).
std::optional<Detail> phases_at_bottlenecks(Facts& facts, const std::vector<NodeSnapshots>& nodes) {
  const trace::Profile& profile = facts.profile();
  std::map<std::string, std::int64_t> counts;
  std::int64_t all = 0;
  for (const std::uint32_t r : facts.all_rows().ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    const auto own = std::ranges::find(nodes, profile.node_of_rank[r], &NodeSnapshots::node_index);
    if (own == nodes.end() || !analysis::is_framework_timeline(rank) || facts.cancelled()) continue;
    const auto phases = phases_of(rank);
    for (const Snapshot& snapshot : own->snapshots) {
      const Ns time = snapshot.time;
      if (!is_bottleneck(snapshot) || !rank.span.contains(time)) continue;
      ++all;
      for (const auto& [phase, times] : phases) counts[phase] += touches(times, {time, time + 1}) ? 1 : 0;
    }
  }
  if (all == 0) return std::nullopt;
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::int64_t>::second);
  Table table("running-phases", "Process phases during bottlenecks",
              {{"phase", "", ColumnRole::annotation_group},
               {"moments", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
  for (const auto& [phase, count] : sorted)
    if (count > 0) table.add_row({phase, count, analysis::share_of(count, all)});
  table.note =
      "Percentage of bottlenecks during each phase, across all processes with a framework timeline. Nested phases are "
      "counted separately.";
  return Detail{std::move(table)};
}

/// Returns the mean time between consecutive snapshots of all nodes.
Ns interval_of_nodes(const std::vector<NodeSnapshots>& nodes) {
  std::vector<Ns> times;
  for (const Snapshot& snapshot : nodes.front().snapshots) times.push_back(snapshot.time);
  return interval_of(times) / static_cast<Ns>(nodes.size());
}

}  // namespace

Outcome judge_cores(const RuleInput& input, const CoreBottleneck& of) {
  const double gpu_limit = input.values.real("gpu_threshold");
  const double core_limit = input.values.real(of.limit);
  const double threshold = input.values.real("threshold");
  const std::int64_t patience = input.values.integer(kPatience);
  const auto nodes = node_snapshots(input.facts, of.metric, gpu_limit, core_limit);
  if (nodes.empty()) return without_metrics(fmt::format("both GPUs and cores ({})", trace::to_string(of.metric)));
  // Evaluates all nodes together, minute by minute.
  std::vector<std::pair<Ns, bool>> all;
  std::vector<Place> places;
  for (const NodeSnapshots& node : nodes) {
    for (const Snapshot& snapshot : node.snapshots) all.emplace_back(snapshot.time, is_bottleneck(snapshot));
    add_places(node, places);
  }
  std::ranges::sort(all);
  std::vector<Ns> times;
  times.reserve(all.size());
  for (const auto& [time, bottleneck] : all) times.push_back(time);
  if (static_cast<std::int64_t>(all.size()) <= patience) {
    Outcome few = too_few_samples(all.size(), patience, interval_of_nodes(nodes));
    few.details.push_back(snapshots_table(nodes));
    return few;
  }
  std::size_t seen = 0;
  std::size_t found = 0;
  double worst = 0;
  AwsCounts aws{0, 0, static_cast<std::int64_t>(all.size())};
  for_each_scan(times, scan_interval(input), [&](std::size_t count) {
    for (; seen < count; ++seen) found += all[seen].second ? 1 : 0;
    if (static_cast<std::int64_t>(count) <= patience) return;
    const double share = 100 * static_cast<double>(found) / static_cast<double>(count);
    worst = std::max(worst, share);
    aws.triggered += share > threshold ? 1 : 0;
  });
  aws.violations = static_cast<std::int64_t>(found);
  const double share = static_cast<double>(found) / static_cast<double>(all.size());
  const std::string why = fmt::format(
      "{} of {} snapshots have a GPU below {} % while {} {} %: {}.", format_count(static_cast<std::int64_t>(found)),
      format_count(static_cast<std::int64_t>(all.size())), gpu_limit, of.core_words, core_limit, format_share(share));
  Outcome outcome{Verdict::no_issues, why + fmt::format(" Limit: {} %.", threshold), {}, aws};
  outcome.details.push_back(snapshots_table(nodes));
  if (auto phases = phases_at_bottlenecks(input.facts, nodes)) outcome.details.push_back(std::move(*phases));
  if (aws.triggered == 0) return outcome;
  std::vector<double> bottlenecks;
  bottlenecks.reserve(all.size());
  for (const auto& [time, bottleneck] : all) bottlenecks.push_back(bottleneck ? 1 : 0);
  Evidence evidence =
      over_time("Snapshots with a bottleneck", ColumnKind::share, times, bottlenecks, input.facts.profile().span.begin);
  keep_longest(places);
  outcome.verdict = Verdict::issues_found;
  outcome.why = why;
  // The percentage may have exceeded the limit only at an earlier time.
  const std::string earlier =
      share * 100 > threshold ? "" : fmt::format(" (up to {} earlier in the job)", format_share(worst / 100));
  outcome.findings.push_back(
      {fmt::format("{} In {} of all snapshots{}, a GPU is below {} % while {} {} %.", of.conclusion,
                   format_share(share), earlier, gpu_limit, of.core_words, core_limit),
       std::string(of.advice), 0, 0, false, std::move(places), std::move(evidence)});
  return outcome;
}

}  // namespace warpscope::rules
