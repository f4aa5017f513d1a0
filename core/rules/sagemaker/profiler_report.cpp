// ProfilerReport: summarizes SageMaker Debugger's rules, as AWS's rule of the same name does. It has no findings
// itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/base/counted.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules::registered::profiler_report {

namespace {

Outcome evaluate(const RuleInput& input) {
  if (input.facts.of_pytorch() && input.facts.profile().metrics.empty())
    return {Verdict::not_evaluable, "The profile has no SageMaker Debugger data."};
  std::vector<std::string_view> found;
  std::size_t evaluated = 0;
  std::size_t all = 0;
  AwsCounts counts;
  for (const Evaluated& each : input.before) {
    if (!each.outcome.aws) continue;  // not one of Debugger's
    ++all;
    const Verdict verdict = each.outcome.verdict;
    evaluated += verdict == Verdict::issues_found || verdict == Verdict::no_issues ? 1 : 0;
    if (verdict != Verdict::issues_found) continue;
    found.push_back(each.rule->name);
    ++counts.triggered;
  }
  counts.violations = counts.triggered;
  counts.datapoints = static_cast<std::int64_t>(evaluated);
  if (evaluated == 0) return {Verdict::not_evaluable, "No SageMaker Debugger rule could be evaluated."};
  std::string why = fmt::format(
      "{} of {} could be evaluated; {}", evaluated, counted(all, "SageMaker Debugger rule", "SageMaker Debugger rules"),
      found.empty() ? "none found an issue."
                    : fmt::format("{} found issues: {}.", found.size(), fmt::join(found, ", ")));
  Outcome outcome{found.empty() ? Verdict::no_issues : Verdict::issues_found, std::move(why)};
  outcome.counts = counts;
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "ProfilerReport",
    "SageMaker Debugger's rules",
    "Reports an issue if any of SageMaker Debugger's rules does; their findings are listed separately.",
    {},
    evaluate,
    "Start with the first finding."};

}  // namespace warpscope::rules::registered::profiler_report
