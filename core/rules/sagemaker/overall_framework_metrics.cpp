// OverallFrameworkMetrics: time outside steps. AWS's rule only collects tables, and its "others" is about half of the
// truth, because it subtracts the others found so far at every step.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/job/framework_time.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::overall_framework_metrics {

namespace {

constexpr std::array kParameters{analysis::Parameter{.name = "others",
                                                     .about = "share of the time outside steps that raises an issue",
                                                     .kind = analysis::ParameterKind::real,
                                                     .preset = "0.25",
                                                     .least = 0,
                                                     .most = 1}};

Outcome evaluate(const RuleInput& input) {
  const analysis::StepTime all = analysis::time_of_steps(input.facts.profile(), {input.facts.all_rows().ranks(), {}});
  if (all.ranks == 0 || all.span <= 0)
    return {Verdict::not_evaluable, "The profile has no two steps.", {}, AwsCounts{}};
  const double share = static_cast<double>(all.outside) / static_cast<double>(all.span);
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
            {{"outside steps", all.rank, std::nullopt, all.longest, std::nullopt}}}},
          AwsCounts{}};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"OverallFrameworkMetrics", "Time outside steps",
                 "More than a quarter of the time between the first and the last step is outside steps.", kParameters,
                 evaluate};

}  // namespace warpscope::rules::registered::overall_framework_metrics
