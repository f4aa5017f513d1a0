// MaxInitializationTime: the job runs for long before its first step.
//
// Differs from AWS's rule, which cannot fire inside ProfilerReport because its clock is never advanced there, and which
// alone fires for every long job without framework data.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/job/job_times.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::max_initialization_time {

namespace {

constexpr Ns kMinute = 60'000'000'000;
constexpr std::array kParameters{analysis::Parameter{.name = "threshold",
                                                     .about = "minutes before the first step that raise an issue",
                                                     .kind = analysis::ParameterKind::real,
                                                     .preset = "20",
                                                     .least = 0}};

Outcome evaluate(const RuleInput& input) {
  const trace::Profile& profile = input.facts.profile();
  const analysis::JobTimes times = analysis::job_times(profile, {input.facts.all_rows().ranks(), {}});
  AwsCounts aws;
  if (!times.steps) return {Verdict::not_evaluable, "The profile has no steps.", {}, aws};
  const std::string_view name = profile.names().view(times.first_step);
  if (analysis::number_of(name).value_or(0) > 1)
    return {Verdict::not_evaluable, fmt::format("The traces start later, with {}.", name), {}, aws};
  if (!times.start || *times.start >= times.steps->begin)
    return {Verdict::not_evaluable,
            "Nothing shows when the job started: no system metrics, and no saved output of describe-training-job.",
            {},
            aws};
  const Ns waited = times.steps->begin - *times.start;
  const std::string why = fmt::format("The first step starts {} after the job.", format_duration(waited));
  if (static_cast<double>(waited) <= input.values.real("threshold") * static_cast<double>(kMinute))
    return {Verdict::no_issues, why, {}, aws};
  return {Verdict::issues_found,
          why,
          {{why,
            "Find out what takes the time: downloading the data set (stream it instead, as Pipe mode does), installing "
            "packages, compiling, or building the data set in each process.",
            0,
            0,
            false,
            {{"initialization", times.first_rank, std::nullopt, {*times.start, times.steps->begin}, std::nullopt}}}},
          aws};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"MaxInitializationTime", "Long initialization",
                 "The job takes more than 20 minutes from its start to its first step.", kParameters, evaluate};

}  // namespace warpscope::rules::registered::max_initialization_time
