#include "core/rules/kineto/fault_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/causes/fault_text.hpp"
#include "core/base/format.hpp"
#include "core/base/utf8.hpp"
#include "core/rules/account.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"
#include "core/trace/missing_ranks.hpp"

namespace warpscope::rules {

namespace {

using analysis::Fault;
using analysis::FaultKind;

constexpr std::size_t kLongestName = 90;
constexpr double kMuch = 0.98;  // ratio of the savings alone and on top of other findings; less is mentioned

/// Returns `time` on each of the evaluated steps, over all GPUs, or on each GPU.
Ns over_steps(Facts& facts, Ns time) {
  const auto times = static_cast<double>(facts.steps() > 0 ? facts.steps() : facts.gpus().size());
  return static_cast<Ns>(std::min(times * static_cast<double>(time), 9e18));
}

/// Returns "3 of 4 ranks have no traces", so waiting for them counts as transfer; "" if none is missing.
std::string missing_text(const trace::Profile& profile) {
  const trace::MissingRanks missing = trace::missing_ranks(profile);
  if (missing.count == 0) return "";
  return fmt::format("{} of {} ranks {}", missing.count, missing.world,
                     missing.count == 1 ? "has no trace" : "have no traces");
}

/// Returns the step in which the GPU waits for a call of the step before; "" if it waits in the call's own step.
std::string waiting_step(Facts& facts, const Fault& fault) {
  if (!fault.step || fault.places.empty()) return "";
  const auto& [rank, slice] = fault.places.front();
  const trace::Rank& of = *facts.profile().ranks[rank];
  const Ns end = saturating_add(of.begin(slice), of.duration(slice));
  for (const GpuWindow& gpu : facts.gpus())
    for (std::size_t part = 0; gpu.rank == rank && part < gpu.steps; ++part)
      if (gpu.parts[part].contains(end))
        if (const std::string label = step_label(facts, gpu, part); label != facts.profile().names().view(*fault.step))
          return label;
  return "";
}

std::vector<std::string> evidence_of(Facts& facts, const Fault& fault, const Finding& finding) {
  const analysis::JobFaults& faults = facts.faults();
  std::vector<std::string> lines;
  const auto alone = static_cast<double>(fault.alone);
  const auto saving = static_cast<double>(fault.saving);
  const std::string a_step = facts.steps() > 0 ? "a step" : "the recording";
  if (finding.saving_low < finding.saving)
    lines.push_back(fmt::format("Saves 0 to {}{}: {}, so part of it may be spent waiting for late ranks.",
                                format_duration(fault.saving), facts.steps() > 0 ? " per step" : "",
                                missing_text(facts.profile())));
  else if (fault.most > fault.saving + fault.saving / 10)
    lines.push_back(fmt::format("Saves {} to {}{}: the host may wait for other ranks in ways that are not recorded.",
                                format_duration(fault.saving), format_duration(fault.most),
                                facts.steps() > 0 ? " per step" : ""));
  else
    lines.push_back(
        fmt::format("In a replay without it, {} takes {} instead of {}{}.", a_step,
                    format_duration(faults.step_time - fault.alone), format_duration(faults.step_time),
                    std::min(alone, saving) >= kMuch * std::max(alone, saving)
                        ? ""
                        : fmt::format("; after other findings are fixed, it saves {}{}", format_duration(fault.saving),
                                      facts.steps() > 0 ? " per step" : "")));
  const std::string_view name = facts.profile().names().view(fault.name);
  if (!name.empty() && fault.kind <= FaultKind::slow_steps)
    lines.push_back(fmt::format("The {} that differs most, {}, takes {:.2g}× as long.",
                                fault.memory ? "memory operation" : "kernel",
                                shortened(trace::kernel_label(name), kLongestName), fault.name_ratio));
  if (fault.work >= analysis::kMoreWork)
    lines.push_back(fmt::format("This kernel launches {:.2g}× as many blocks as on a peer: more work, not a slow GPU.",
                                fault.work));
  if (const std::string waits = waiting_step(facts, fault); !waits.empty())
    lines.push_back(fmt::format("The call is in {}; the GPU waits for it in {}.", finding.culprit.step, waits));
  if (fault.cost > fault.saving + fault.saving / 10)
    lines.push_back(fault.step ? fmt::format("It takes {} in that step; other work hides part of it.",
                                             format_duration(fault.cost * static_cast<Ns>(faults.steps)))
                               : fmt::format("It costs up to {}{} on one rank; other work hides part of that time.",
                                             format_duration(fault.cost), facts.steps() > 0 ? " per step" : ""));
  return lines;
}

/// Returns how much of the GPU time has a label that the rule is about: " (2.9 % of the GPU time)"; "" if little. Waits
/// for other ranks are not the fault of any.
std::string share_text(Facts& facts, const FaultRule& rule) {
  constexpr double kLittle = 0.005;
  double share = 0;
  for (const AccountPart& part : account_of(facts))
    if (rule_of(part.label) == rule_of(*rule.kinds.begin()) && part.label != analysis::TimeLabel::waiting)
      share += part.share;
  return share < kLittle ? "" : fmt::format(" ({} of the GPU time)", format_share(share));
}

}  // namespace

Outcome outcome_of_faults(const RuleInput& input, const FaultRule& rule) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  const analysis::JobFaults& faults = facts.faults();
  if (!faults.reason.empty()) return {Verdict::insufficient_data, faults.reason, {}};
  Outcome outcome{.verdict = Verdict::no_issues, .why = std::string(rule.none)};
  if (outcome.why.ends_with('.')) outcome.why.insert(outcome.why.size() - 1, share_text(facts, rule));
  for (const Fault& fault : faults.faults) {
    if (std::ranges::find(rule.kinds, fault.kind) == rule.kinds.end()) continue;
    const Ns high = std::max(fault.saving, fault.most);
    Finding finding;
    finding.culprit = analysis::culprit_of(facts.profile(), facts.comparison(), fault);
    finding.cause = analysis::to_string(fault.kind);
    finding.headline = analysis::fault_headline(facts.profile(), facts.comparison(), faults, fault);
    finding.saving = over_steps(facts, fault.saving);
    finding.cost = std::max({finding.saving, over_steps(facts, high), over_steps(facts, fault.cost)});
    finding.saving_low = over_steps(facts, fault.low);
    finding.alone = fault.alone;
    finding.step_time = fault.step_time;
    finding.saving_high = over_steps(facts, high);
    finding.evidence_lines = evidence_of(facts, fault, finding);
    if (rule.evidence)
      for (std::string& line : rule.evidence(facts, fault)) finding.evidence_lines.push_back(std::move(line));
    if (finding.evidence_lines.size() > kMostEvidenceLines) finding.evidence_lines.resize(kMostEvidenceLines);
    if (rule.advice) finding.advice = rule.advice(facts, fault);
    for (const trace::SliceRef& place : fault.places)
      finding.places.push_back(at_slice(facts, place.rank, place.slice));
    outcome.verdict = Verdict::issues_found;
    outcome.findings.push_back(std::move(finding));
  }
  if (!outcome.findings.empty()) outcome.why = outcome.findings.front().headline + ".";
  return outcome;
}

}  // namespace warpscope::rules
