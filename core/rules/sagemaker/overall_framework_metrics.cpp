// OverallFrameworkMetrics: time outside steps.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/job/framework_time.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::overall_framework_metrics {

namespace {

constexpr std::array kParameters{analysis::real_parameter(
    "others", "fraction of time outside steps above which an issue is reported", "0.25", 0, 1)};
constexpr std::string_view kAdvice =
    "Look at what the host does outside steps: evaluation, checkpoints, logging, the next epoch's data loader.";

Outcome evaluate(const RuleInput& input) {
  const analysis::StepTime all = analysis::time_of_steps(input.facts.profile(), {input.facts.all_rows().ranks(), {}});
  if (all.ranks == 0 || all.span <= 0)
    return {Verdict::not_evaluable, "The profile has fewer than two steps.", {}, AwsCounts{}};
  const double share = static_cast<double>(all.outside) / static_cast<double>(all.span);
  const std::string why =
      fmt::format("{} of the time between the first and the last step is outside steps.", format_share(share));
  Outcome outcome{Verdict::no_issues, why, {}, AwsCounts{}};
  outcome.details = {{analysis::steps_table(all)}};
  if (Table phases =
          analysis::phases_table(analysis::phase_times(input.facts.profile(), {input.facts.all_rows().ranks(), {}}));
      phases.rows() > 0)
    outcome.details.push_back({std::move(phases)});
  if (share <= input.values.real("others")) return outcome;
  outcome.counts = AwsCounts{1, 1, 1};
  outcome.verdict = Verdict::issues_found;
  outcome.findings.push_back({why + fmt::format(" The longest gap is {}.", format_duration(all.longest.length())),
                              std::string(kAdvice),
                              0,
                              0,
                              false,
                              {{"outside steps", all.rank, std::nullopt, all.longest, std::nullopt}}});
  return outcome;
}

}  // namespace

extern const Rule kRule{"OverallFrameworkMetrics",
                        "Time outside steps",
                        "More than a quarter of the time between the first and the last step is outside steps.",
                        kParameters,
                        evaluate,
                        kAdvice,
                        "Time outside steps is the time from the first to the last step minus the time in steps; AWS's "
                        "\"others\" is about half of that. Operator times exclude nested operators. Training and "
                        "evaluation steps are judged separately; AWS's report keeps only the last phase."};

}  // namespace warpscope::rules::registered::overall_framework_metrics
