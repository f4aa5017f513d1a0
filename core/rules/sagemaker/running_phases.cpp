#include "core/rules/sagemaker/running_phases.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"

namespace warpscope::rules {

namespace {

/// Time of each phase of a process.
std::map<std::string, std::vector<Interval>> phases_of(const trace::Rank& rank) {
  std::map<std::string, std::vector<Interval>> phases;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    std::vector<Interval>& times = phases[track.label.substr(0, track.label.find(" · "))];
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      if (!analysis::holds_recorded(rank, l)) continue;
      for (trace::SliceOrdinal slice = rank.lane_start[l]; slice < rank.lane_start[l + 1]; ++slice)
        times.push_back({rank.begin(slice), saturating_add(rank.begin(slice), rank.duration(slice))});
    }
  }
  for (auto& [phase, times] : phases) times = joined(std::move(times));
  return phases;
}

}  // namespace

std::optional<Detail> running_phases(Facts& facts, const std::vector<NodeMoments>& moments) {
  const trace::Profile& profile = facts.profile();
  std::map<std::string, std::int64_t> counts;
  std::int64_t all = 0;
  for (const std::uint32_t r : facts.all_rows().ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    const auto own = std::ranges::find(moments, profile.node_of_rank[r], &NodeMoments::node);
    if (own == moments.end() || !analysis::is_framework_timeline(rank) || facts.cancelled()) continue;
    const auto phases = phases_of(rank);
    for (const Ns time : own->times) {
      if (!rank.span.contains(time)) continue;
      ++all;
      for (const auto& [phase, times] : phases) counts[phase] += touches(times, {time, time + 1}) ? 1 : 0;
    }
  }
  if (all == 0) return std::nullopt;
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::int64_t>::second);
  Table table("running-phases", "Phases of processes at bottlenecks",
              {{"phase", "", ColumnRole::annotation_group},
               {"moments", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
  for (const auto& [phase, count] : sorted)
    if (count > 0) table.add_row({phase, count, analysis::share_of(count, all)});
  table.note =
      "Share of the bottlenecks, over all processes with a framework timeline. Nested phases count separately.";
  return Detail{std::move(table)};
}

}  // namespace warpscope::rules
