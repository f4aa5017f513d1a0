#include "core/analysis/gpu_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/runs.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kMicrosecond = 1000;

Ns rounded_down(Ns time) {
  const Ns rest = time % kMicrosecond;
  return time - (rest < 0 ? rest + kMicrosecond : rest);
}

Interval rounded(Interval time) {
  return {rounded_down(saturating_add(time.begin, kMicrosecond - 1)), rounded_down(time.end)};
}

bool is_profiler_step(std::string_view name) { return name.starts_with("ProfilerStep"); }

}  // namespace

GpuRows::GpuRows(const trace::Profile& profile, Scope scope, const KernelClasses::Choice& choice,
                 const CancelToken* cancel)
    : profile_(profile),
      scope_(std::move(scope)),
      hta_(choice.hta),
      rounding_(choice.rounding),
      cancel_(cancel),
      classes_(profile, choice),
      ranks_(ranks_in(profile, scope_)) {
  if (!hta_) return;
  for (const auto& rank : profile.ranks)
    for (const trace::Step& step : rank->steps)
      if (is_profiler_step(profile.names().view(step.name))) step_names_.push_back(step.name);
  std::ranges::sort(step_names_);
  step_names_.erase(std::unique(step_names_.begin(), step_names_.end()), step_names_.end());
}

std::optional<Ns> GpuRows::last_step_begin(const trace::Rank& rank) const {
  if (step_names_.size() < 2) return std::nullopt;
  std::optional<Ns> last;
  const auto take = [&](Ns begin) { last = std::max(last.value_or(begin), begin); };
  for (const trace::Step& step : rank.steps)
    if (std::ranges::binary_search(step_names_, step.name)) take(step.time.begin);
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rows_of(rank, l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (std::ranges::binary_search(step_names_, lane.name(i))) take(lane.time().begin(i));
  }
  return last;
}

std::vector<GpuRow> GpuRows::of(std::uint32_t rank_index) const {
  const trace::Rank& rank = *profile_.ranks[rank_index];
  const RoleOfCategory roles = roles_of_categories(profile_);
  const std::optional<Ns> last_step = hta_ ? last_step_begin(rank) : std::nullopt;
  std::vector<GpuRow> rows;
  for (std::uint32_t d = 0; d < rank.devices.size(); ++d) {
    for (const std::uint32_t t : rank.devices[d].streams) {
      const trace::Track& track = rank.tracks[t];
      for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
        if (cancelled(cancel_)) return {};
        const bool waits = hta_ && rows_of(rank, l) == trace::LaneKind::sync && track.id >= 0;
        if (!waits && !holds_recorded(rank, l)) continue;
        const trace::Lane& lane = rank.lanes[l];
        for_each_part(lane, scope_.range, [&](std::uint32_t i, Interval part) {
          const trace::Role role = roles[lane.category(i)];
          if (!waits && !trace::is_run(role)) return;
          const trace::SliceOrdinal slice = rank.lane_start[l] + i;
          const trace::Connection* launch = rank.launches.cause_of(slice);
          if (last_step && (launch == nullptr || rank.begin(launch->from) >= *last_step)) return;
          rows.push_back({rounding_ ? rounded(part) : part, lane.name(i), classes_.of(lane.name(i), role), role, d, t,
                          slice, launch == nullptr ? std::nullopt : std::optional(launch->from)});
        });
      }
    }
  }
  std::ranges::stable_sort(rows, {}, [](const GpuRow& row) { return std::pair(row.time.begin, row.time.end); });
  return rows;
}

std::string without_runs_note(std::size_t without, std::size_t ranks) {
  if (without == ranks) return "No GPU ran anything here.";
  return fmt::format("{} of {} ranks ran nothing on a GPU.", without, ranks);
}

Ns total_length(const std::vector<Interval>& intervals) {
  Ns sum = 0;
  for (const Interval& each : intervals) sum = saturating_add(sum, each.length());
  return sum;
}

}  // namespace warpscope::analysis
