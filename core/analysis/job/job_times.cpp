#include "core/analysis/job/job_times.hpp"

#include <algorithm>

#include "core/analysis/job/all_steps.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {

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
