// DataLoader: GPUs that are idle while the host waits for the next batch.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "core/base/format.hpp"
#include "core/rules/kineto/fault_rule.hpp"
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

/// Returns the advice for the kind of loader that a trace shows.
std::string loader_advice(Facts& facts, const analysis::Fault&) {
  const CallsInWindow calls = calls_in_window(facts, analysis::HostWork::data_loader);
  return calls.most.find("_SingleProcess") != std::string_view::npos
             ? "Batches are loaded in the main process. Set the DataLoader's num_workers (for example, to 8) and "
               "pin_memory=True."
             : "Increase the DataLoader's num_workers or prefetch_factor, set persistent_workers=True, or speed up "
               "sample loading.";
}

/// Evaluates how long GPUs wait for batches, from the traces.
Outcome judge_waits(const RuleInput& input) {
  Facts& facts = input.facts;
  Outcome outcome = outcome_of_faults(input, {.kinds = {analysis::FaultKind::data_loader},
                                              .advice = loader_advice,
                                              .none = "Waiting for the data loader costs little or nothing."});
  if (outcome.verdict != Verdict::no_issues && outcome.verdict != Verdict::issues_found) return outcome;
  if (calls_in_window(facts, analysis::HostWork::data_loader).count == 0)
    return {Verdict::not_evaluable, "The trace has no data loader activity (no enumerate(DataLoader) annotation).", {}};
  for (Finding& finding : outcome.findings) {
    const auto idle = [&](std::size_t g) -> const auto& {
      return facts.account(g).of(analysis::TimeLabel::data_loader);
    };
    finding.evidence = idle_by_step(facts, "Idle time during data loading", idle, finding.culprit);
  }
  return outcome;
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
    finding.evidence_lines.push_back(each.headline);
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
    "Time that a replay gains if batches are ready at once. In SageMaker Debugger's framework timelines: "
    "the number of data-loading processes is below 70 % or above 200 % of the node's cores.",
    kParameters,
    with_aws_counts,
    "Use more data-loading processes, prefetch batches, or speed up sample loading."};

}  // namespace warpscope::rules::registered::data_loader
