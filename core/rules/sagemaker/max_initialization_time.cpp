// MaxInitializationTime: the job runs for a long time before its first step.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/request/step_range.hpp"
#include "core/base/format.hpp"
#include "core/rules/rule_details.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::max_initialization_time {

namespace {

constexpr std::array kParameters{
    analysis::real_parameter("threshold", "minutes before the first step above which an issue is reported", "20")};
constexpr std::string_view kAdvice =
    "Find out what takes so long: downloading the data set (stream it instead, as Pipe mode does), installing "
    "packages, compiling, or building the data set in each process.";

Outcome evaluate(const RuleInput& input) {
  const trace::Profile& profile = input.facts.profile();
  const analysis::JobTimes times = analysis::job_times(profile, {input.facts.all_rows().ranks(), {}});
  AwsCounts aws;
  if (!times.steps) return {Verdict::not_evaluable, "The profile has no steps.", {}, aws};
  const std::string_view name = profile.names().view(times.first_step);
  if (analysis::step_number(name).value_or(0) > 1)
    return {Verdict::not_evaluable,
            fmt::format("The traces start with {}, so the first step was not recorded.", name),
            {},
            aws};
  if (!times.start || *times.start >= times.steps->begin)
    return {
        Verdict::not_evaluable,
        "The job's start time is unknown: there are no system metrics and no saved output of describe-training-job.",
        {},
        aws};
  const Ns waited = times.steps->begin - *times.start;
  const std::string why = fmt::format("The first step starts {} after the job starts.", format_duration(waited));
  Outcome outcome{Verdict::no_issues, why, {}, aws};
  outcome.counts = AwsCounts{0, 0, 1};
  outcome.details = details_from(input.facts, "job_statistics", 1);
  if (static_cast<double>(waited) <= input.values.real("threshold") * static_cast<double>(kMinute)) return outcome;
  outcome.counts = AwsCounts{1, 1, 1};
  outcome.verdict = Verdict::issues_found;
  outcome.findings.push_back(
      {why,
       std::string(kAdvice),
       0,
       0,
       false,
       {{"initialization", times.first_rank, std::nullopt, {*times.start, times.steps->begin}, std::nullopt}}});
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "MaxInitializationTime",
    "Long initialization",
    "The job takes more than 20 minutes to reach its first step.",
    kParameters,
    evaluate,
    kAdvice,
    "AWS's rule can never fire in AWS's report, because the report does not advance the rule's clock; this rule can. "
    "Without steps, this rule cannot be evaluated; AWS's rule, if run alone, fires for every long job."};

}  // namespace warpscope::rules::registered::max_initialization_time
