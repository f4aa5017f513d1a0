#include "core/analysis/job/all_steps.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/word_at.hpp"
#include "core/trace/annotation_family.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kFrameworkStep = "Step:ModeKeys";

}  // namespace

std::string_view phase_of(std::string_view step) {
  constexpr std::array<std::string_view, 4> kIterations{"", "prefill", "decode", "prefill and decode"};
  if (const auto phase = trace::iteration_phase(step); phase != trace::IterationPhase::none)
    return word_at(kIterations, phase);
  std::string_view phase = step.substr(0, step.find_last_not_of("0123456789") + 1);  // npos + 1 is 0
  if (phase.size() < step.size()) phase = phase.substr(0, phase.find_last_not_of("#_ -:") + 1);
  return phase.empty() ? step : phase;
}

std::vector<trace::Step> all_steps(const trace::Profile& profile, const trace::Rank& rank) {
  std::vector<trace::Step> steps = rank.steps;
  const auto is_phase = [](const auto& family) { return family.first.starts_with(kFrameworkStep); };
  if (std::ranges::count_if(rank.annotations, is_phase) < 2) return steps;
  std::set<trace::SliceOrdinal> known;
  for (const trace::Step& step : steps) known.insert(step.slice);
  for (std::uint32_t lane = 0; lane < rank.lanes.size(); ++lane) {
    if (!rank.tracks[rank.track_of_lane(lane)].label.starts_with(kFrameworkStep)) continue;
    if (rank.rows_of(lane) == trace::LaneKind::damaged || rank.rows_of(lane) == trace::LaneKind::instant) continue;
    for (trace::SliceOrdinal slice = rank.lane_start[lane]; slice < rank.lane_start[lane + 1]; ++slice) {
      if (known.contains(slice) || !profile.names().view(rank.name(slice)).starts_with(kFrameworkStep)) continue;
      const Ns begin = rank.begin(slice);
      steps.push_back({rank.name(slice), {begin, saturating_add(begin, rank.duration(slice))}, slice});
    }
  }
  std::ranges::sort(steps, {}, [](const trace::Step& step) { return std::pair(step.time.begin, step.slice); });
  return steps;
}

namespace {

constexpr Ns kDay = Ns{24} * 60 * 60 * 1'000'000'000;
constexpr Ns kLongestStart = 30 * kDay;

}  // namespace

JobTimes job_times(const trace::Profile& profile, const Scope& scope) {
  JobTimes times;
  const auto starts = [&](Ns time) { times.start = std::min(times.start.value_or(time), time); };
  const auto ends = [&](Ns time) { times.end = std::max(times.end.value_or(time), time); };
  for (const auto& metrics : profile.metrics) {
    if (metrics->samples() == 0) continue;
    starts(metrics->span().begin);
    ends(metrics->span().end);
  }
  for (const trace::JobDocument& document : *profile.job) {
    if (document.started_ns) starts(*document.started_ns);
    if (document.ended_ns) ends(*document.ended_ns);
  }
  for (const std::uint32_t r : ranks_in(profile, scope))
    for (const trace::Step& step : all_steps(profile, *profile.ranks[r])) {
      if (scope.range && !is_within(step.time, *scope.range)) continue;
      if (!times.steps || step.time.begin < times.steps->begin) {
        times.first_rank = r;
        times.first_step = step.name;
      }
      times.steps = times.steps ? cover(*times.steps, step.time) : step.time;
    }
  const bool other_clock =
      times.start && times.steps &&
      (times.steps->begin < *times.start - kDay || times.steps->begin - *times.start > kLongestStart);
  if (other_clock) times.start = times.end = std::nullopt;
  return times;
}

}  // namespace warpscope::analysis
