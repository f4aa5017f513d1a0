// MaxInitializationTime: the job runs for long before its first step.
//
// Differs from AWS's rule, which cannot fire inside ProfilerReport because its clock is never advanced there, and which
// alone fires for every long job without framework data.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/format.hpp"
#include "core/rules/sagemaker/host_steps.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::max_initialization_time {

namespace {

constexpr Ns kMinute = 60'000'000'000;
constexpr Ns kLongest = 30 * 24 * 60 * kMinute;
constexpr std::array kParameters{analysis::Parameter{.name = "threshold",
                                                     .about = "minutes before the first step that raise an issue",
                                                     .kind = analysis::ParameterKind::real,
                                                     .preset = "20",
                                                     .least = 0}};

/// Start of the job: the first sample of its system metrics, or the start in the saved job description.
std::optional<Ns> start_of_job(const trace::Profile& profile) {
  std::optional<Ns> start;
  const auto take = [&](Ns time) { start = start ? std::min(*start, time) : time; };
  for (const auto& metrics : profile.metrics)
    if (metrics->samples() > 0) take(metrics->span().begin);
  for (const trace::JobDocument& document : *profile.job)
    if (document.started_ns) take(*document.started_ns);
  return start;
}

Outcome evaluate(const RuleInput& input) {
  const trace::Profile& profile = input.facts.profile();
  std::optional<trace::Step> first;
  std::uint32_t rank = 0;
  for (const std::uint32_t r : input.facts.all_rows().ranks()) {
    const auto steps = all_steps(profile, *profile.ranks[r]);
    if (steps.empty() || (first && first->time.begin <= steps.front().time.begin)) continue;
    first = steps.front();
    rank = r;
  }
  AwsCounts aws;
  if (!first) return {Verdict::not_evaluable, "The profile has no steps.", {}, aws};
  const std::string_view name = profile.names().view(first->name);
  if (number_of(name).value_or(0) > 1)
    return {Verdict::not_evaluable, fmt::format("The traces start later, with {}.", name), {}, aws};
  const auto start = start_of_job(profile);
  if (!start || *start >= first->time.begin || first->time.begin - *start > kLongest)  // clocks of other epochs
    return {Verdict::not_evaluable,
            "Nothing shows when the job started: no system metrics, and no saved output of describe-training-job.",
            {},
            aws};
  const Ns waited = first->time.begin - *start;
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
            {{"initialization", rank, std::nullopt, {*start, first->time.begin}, std::nullopt}}}},
          aws};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"MaxInitializationTime", "Long initialization",
                 "The job takes more than 20 minutes from its start to its first step.", kParameters, evaluate};

}  // namespace warpscope::rules::registered::max_initialization_time
