// DataLoader: GPUs that are idle while the host waits for the next batch.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/rules/sagemaker/loader_workers.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::data_loader {

namespace {

constexpr std::array kParameters{
    share_parameter(),
    analysis::real_parameter("min_threshold", "minimum number of data-loading processes, as a % of a node's cores",
                             "70"),
    analysis::real_parameter("max_threshold", "maximum number of data-loading processes, as a % of a node's cores",
                             "200"),
    analysis::integer_parameter(
        kPatience, "evaluate only nodes that run data-loading processes for more than this many seconds", "10", 1)};

/// Evaluates how long GPUs wait for batches, from the traces.
Outcome judge_waits(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  const CallsInWindow calls = calls_in_window(facts, HostCallKind::data_loader);
  if (calls.count == 0)
    return {Verdict::not_evaluable, "The trace has no data loader activity (no enumerate(DataLoader) annotation).", {}};
  CauseTime idle = time_of_cause(facts, IdleCause::data_loader, "GPU idle while the host waits for the data loader");
  const bool single = calls.most.find("_SingleProcess") != std::string_view::npos;
  return judged(
      facts.matters(idle.time, input.values.real(kShare)),
      {fmt::format("{} {} for the data loader.", by_gpus(facts, "The GPU waits", "GPUs wait"),
                   facts.of_step(idle.time)),
       single ? "Batches are loaded in the main process. Set the DataLoader's num_workers (for example, to 8) and "
                "pin_memory=True."
              : "Increase the DataLoader's num_workers or prefetch_factor, set persistent_workers=True, or speed up "
                "sample loading.",
       idle.time, idle.time, false, std::move(idle.places), idle_by_step(facts, IdleCause::data_loader)},
      fmt::format("{} idle for {} ({}) while the host waits for the data loader.",
                  by_gpus(facts, "The GPU is", "GPUs are"), facts.a_step(idle.time),
                  format_share(facts.share(idle.time))));
}

bool is_judged(const Outcome& outcome) {
  return outcome.verdict == Verdict::issues_found || outcome.verdict == Verdict::no_issues;
}

/// Evaluates both the traces and the framework timelines of a job and returns the worse verdict. If both have findings,
/// they are merged into the finding about waiting GPUs.
Outcome evaluate(const RuleInput& input) {
  std::optional<Outcome> workers = judge_workers(input);
  Outcome waits = judge_waits(input);
  if (!workers) return waits;
  if (!is_judged(waits)) return std::move(*workers);
  Outcome both = waits;
  both.aws = workers->aws;
  if (workers->verdict == Verdict::issues_found) both.verdict = Verdict::issues_found;
  both.why += " " + workers->why;
  if (waits.findings.empty()) {
    both.findings = std::move(workers->findings);
    return both;
  }
  Finding& finding = both.findings.front();
  for (const Finding& each : workers->findings) {
    finding.sentence += " " + each.sentence;
    finding.advice = each.advice;
  }
  return both;
}

/// Adds AWS's counts, which are zero if there are no data-loading processes, and the tables.
Outcome with_aws_counts(const RuleInput& input) {
  Outcome outcome = evaluate(input);
  if (!outcome.aws) outcome.aws = AwsCounts{};
  outcome.details = loading_details(input.facts);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "DataLoader",
    "Data loader",
    "Idle GPU time while the host is in enumerate(DataLoader).__next__. In SageMaker Debugger's framework timelines: "
    "the number of data-loading processes is below 70 % or above 200 % of the node's cores.",
    kParameters,
    with_aws_counts,
    "Use more data-loading processes, prefetch batches, or speed up sample loading."};

}  // namespace warpscope::rules::registered::data_loader
