// OverallFrameworkMetrics: time outside steps. AWS's rule only collects tables, and its "others" is about half of the
// truth, because it subtracts the others found so far at every step.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/format.hpp"
#include "core/rules/sagemaker/host_steps.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::overall_framework_metrics {

namespace {

constexpr std::array kParameters{analysis::Parameter{.name = "others",
                                                     .about = "share of the time outside steps that raises an issue",
                                                     .kind = analysis::ParameterKind::real,
                                                     .preset = "0.25",
                                                     .least = 0,
                                                     .most = 1}};

struct Outside {
  Ns time = 0;
  Ns span = 0;
  Interval longest;  ///< the longest gap between two steps
};

Outside outside_steps(const std::vector<trace::Step>& by_begin) {
  Outside outside;
  Ns until = by_begin.front().time.begin;
  for (const trace::Step& step : by_begin) {
    if (step.time.begin > until) {
      outside.time += step.time.begin - until;
      if (step.time.begin - until > outside.longest.length()) outside.longest = {until, step.time.begin};
    }
    until = std::max(until, step.time.end);
  }
  outside.span = until - by_begin.front().time.begin;
  return outside;
}

Outcome evaluate(const RuleInput& input) {
  const trace::Profile& profile = input.facts.profile();
  Outside all;
  std::uint32_t rank = 0;
  std::size_t ranks = 0;
  for (const std::uint32_t r : input.facts.all_rows().ranks()) {
    const auto steps = all_steps(profile, *profile.ranks[r]);
    if (steps.size() < 2) continue;
    const Outside outside = outside_steps(steps);
    ++ranks;
    all.time = saturating_add(all.time, outside.time);
    all.span = saturating_add(all.span, outside.span);
    if (outside.longest.length() <= all.longest.length()) continue;
    all.longest = outside.longest;
    rank = r;
  }
  if (ranks == 0 || all.span <= 0) return {Verdict::not_evaluable, "The profile has no two steps.", {}, AwsCounts{}};
  const double share = static_cast<double>(all.time) / static_cast<double>(all.span);
  const std::string why =
      fmt::format("{} of the time between the first and the last step is outside steps.", format_share(share));
  if (share <= input.values.real("others")) return {Verdict::no_issues, why, {}, AwsCounts{}};
  return {Verdict::issues_found,
          why,
          {{why + fmt::format(" The longest such time is {}.", format_duration(all.longest.length())),
            "Look at what the host does there: evaluation, checkpoints, logging, the next epoch's data loader.",
            0,
            0,
            false,
            {{"outside steps", rank, std::nullopt, all.longest, std::nullopt}}}},
          AwsCounts{}};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"OverallFrameworkMetrics", "Time outside steps",
                 "More than a quarter of the time between the first and the last step is outside steps.", kParameters,
                 evaluate};

}  // namespace warpscope::rules::registered::overall_framework_metrics
