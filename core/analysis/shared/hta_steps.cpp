#include "core/analysis/shared/hta_steps.hpp"

#include <algorithm>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kMicrosecond = 1000;

Ns rounded_down(Ns time) {
  const Ns rest = time % kMicrosecond;
  return time - (rest < 0 ? rest + kMicrosecond : rest);
}

bool is_profiler_step(std::string_view name) { return name.starts_with("ProfilerStep"); }

}  // namespace

Ns hta_rounded(Ns time) { return rounded_down(saturating_add(time, kMicrosecond - 1)); }
Interval hta_rounded(Interval time) { return {hta_rounded(time.begin), rounded_down(time.end)}; }

HtaSteps::HtaSteps(const trace::Profile& profile, bool hta) {
  if (!hta) return;
  for (const auto& rank : profile.ranks)
    for (const trace::Step& step : rank->steps)
      if (is_profiler_step(profile.names().view(step.name))) names_.push_back(step.name);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::optional<Ns> HtaSteps::last_begin(const trace::Rank& rank) const {
  if (names_.size() < 2) return std::nullopt;
  std::optional<Ns> last;
  const auto take = [&](Ns begin) { last = std::max(last.value_or(begin), begin); };
  for (const trace::Step& step : rank.steps)
    if (std::ranges::binary_search(names_, step.name)) take(step.time.begin);
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rank.rows_of(l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (std::ranges::binary_search(names_, lane.name(i))) take(lane.time().begin(i));
  }
  return last;
}

Ns hta_zero(const trace::Profile& profile, bool rounding) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::optional<Ns> first;
  for (const auto& rank : profile.ranks) {
    for (std::uint32_t l = 0; l < rank->lanes.size(); ++l) {
      const trace::LaneKind kind = rank->rows_of(l);
      if (kind == trace::LaneKind::instant || kind == trace::LaneKind::damaged) continue;
      const trace::Lane& lane = rank->lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        if (roles[lane.category(i)] == trace::Role::span) continue;
        first = std::min(first.value_or(lane.time().begin(i)), lane.time().begin(i));
        break;
      }
    }
  }
  if (!first) return 0;
  return saturating_difference(rounding ? hta_rounded(*first) : *first, profile.span.begin);
}

Ns hta_trace_length(const trace::Profile& profile, std::uint32_t index, bool rounding) {
  const trace::Rank& rank = *profile.ranks[index];
  const RoleOfCategory roles = roles_of_categories(profile);
  const std::optional<Ns> last_step = HtaSteps(profile).last_begin(rank);
  Interval begins = kEmptySpan;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::LaneKind kind = rank.rows_of(l);
    if (kind == trace::LaneKind::instant || kind == trace::LaneKind::damaged) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const trace::Role role = roles[lane.category(i)];
      if (role == trace::Role::span) continue;
      const Ns begin = lane.time().begin(i);
      Ns launched = begin;
      if (last_step && trace::is_run(role)) {
        const trace::Connection* launch = rank.launches.cause_of(rank.lane_start[l] + i);
        launched = launch == nullptr ? *last_step : rank.begin(launch->from);
      }
      if (!last_step || launched < *last_step) begins = cover(begins, {begin, begin});
    }
  }
  if (begins.begin > begins.end) return 0;
  return rounding ? hta_rounded(begins.end) - hta_rounded(begins.begin) : begins.length();
}

}  // namespace warpscope::analysis
