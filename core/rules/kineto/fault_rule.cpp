#include "core/rules/kineto/fault_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/utf8.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"
#include "core/trace/missing_ranks.hpp"

namespace warpscope::rules {

namespace {

using analysis::Fault;
using analysis::FaultKind;

constexpr double kMoreWork = 1.05;
constexpr double kMuch = 0.9;  // of the saving alone; less on top of other findings is mentioned
constexpr std::size_t kLongestHeadline = 90;

/// Returns `time` on each of the evaluated steps, over all GPUs, or on each GPU.
Ns over_steps(Facts& facts, Ns time) {
  const auto times = static_cast<double>(facts.steps() > 0 ? facts.steps() : facts.gpus().size());
  return static_cast<Ns>(std::min(times * static_cast<double>(time), 9e18));
}

/// "16–23", "2 and 5", "0, 2 and 4–6".
std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last > i + 1) {
      parts.push_back(fmt::format("{}–{}", numbers[i], numbers[last]));
    } else {
      for (std::size_t k = i; k <= last; ++k) parts.push_back(std::to_string(numbers[k]));
    }
    i = last + 1;
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ", parts[i]);
  return text;
}

std::string ranks_text(const std::vector<std::int64_t>& numbers, bool capital) {
  return fmt::format("{}ank{} {}", capital ? "R" : "r", numbers.size() == 1 ? "" : "s", numbers_text(numbers));
}

std::string slower(double ratio) { return fmt::format("{:.2g}× slower", ratio); }

/// Returns the cause without the culprit: "kernels 1.2× slower".
std::string cause_text(Facts& facts, const Fault& fault) {
  const std::string_view name = facts.profile().names().view(fault.name);
  switch (fault.kind) {
    case FaultKind::slow_gpu:
      return fault.work >= kMoreWork ? fmt::format("{:.2g}× as much work", fault.ratio)
                                     : fmt::format("kernels {}", slower(fault.ratio));
    case FaultKind::slow_steps:
      return fmt::format("kernels {} in {}", slower(fault.ratio), fault.step ? "one step" : "some steps");
    case FaultKind::heavy_stage:
      return fmt::format("{:.2g}× as much computation as other stages", fault.ratio);
    case FaultKind::data_loader:
      return "waiting for the data loader";
    case FaultKind::compilation:
      return "compiling during training";
    case FaultKind::allocation:
      return "allocating device memory";
    case FaultKind::collection:
      return "Python's garbage collection";
    case FaultKind::checkpoint:
      return "saving a checkpoint";
    case FaultKind::pauses:
      return name.empty() ? "host pauses" : fmt::format("host pauses in {}", name);
    case FaultKind::slow_host:
      return "slow host";
    case FaultKind::slow_group:
      return fmt::format("transfers {} than in equal groups", slower(fault.ratio));
    case FaultKind::slow_transfers:
      return "some transfers much slower than others";
    case FaultKind::waits:
      return "the host waits for the GPU";
    case FaultKind::launches:
      return "the host launches too slowly";
    case FaultKind::communication:
      return "communication not overlapped";
  }
  return "";
}

/// True if some of the job's ranks have no trace, so waiting for them counts as transfer.
std::string missing_text(const trace::Profile& profile) {
  std::set<std::int64_t> present;
  std::int64_t world = 0;
  for (const auto& rank : profile.ranks) {
    present.insert(rank->number);
    if (!rank->number_assigned) world = std::max(world, rank->world_size);
  }
  const trace::MissingRanks missing = trace::missing_ranks(present, world);
  return missing.count == 0 ? "" : fmt::format("{} of {} ranks have no traces", missing.count, world);
}

std::vector<std::string> evidence_of(Facts& facts, const Fault& fault, const Finding& finding) {
  const analysis::JobFaults& faults = facts.faults();
  std::vector<std::string> lines;
  const std::string a_step = facts.steps() > 0 ? " step" : " recording";
  if (finding.saving_low < finding.saving)
    lines.push_back(fmt::format("Saves 0 to {}{}: {}, so part of it may be waiting for them.",
                                format_duration(fault.saving), facts.steps() > 0 ? " per step" : "",
                                missing_text(facts.profile())));
  else if (fault.most > fault.saving + fault.saving / 10)
    lines.push_back(fmt::format("Saves {} to {}{}: the host may wait for other ranks in ways that are not recorded.",
                                format_duration(fault.saving), format_duration(fault.most),
                                facts.steps() > 0 ? " per step" : ""));
  else
    lines.push_back(fmt::format("Replayed without it, a{} takes {} instead of {}.", a_step,
                                format_duration(faults.step_time - fault.alone), format_duration(faults.step_time)));
  if (static_cast<double>(fault.saving) < kMuch * static_cast<double>(fault.alone))
    lines.push_back(fmt::format("After the findings above are fixed, it saves {}.", format_duration(fault.saving)));
  const std::string_view name = facts.profile().names().view(fault.name);
  if (!name.empty() && fault.kind <= FaultKind::slow_steps)
    lines.push_back(fmt::format("Largest difference: {}.", trace::kernel_label(name)));
  if (fault.work >= kMoreWork)
    lines.push_back(fmt::format("This kernel launches {:.2g}× as many blocks as on a peer: more work, not a slow GPU.",
                                fault.work));
  if (fault.cost > fault.saving + fault.saving / 10)
    lines.push_back(fmt::format("It takes up to {}{}; the rest is hidden by other work.", format_duration(fault.cost),
                                facts.steps() > 0 ? " per step" : ""));
  return lines;
}

}  // namespace

Culprit culprit_of(Facts& facts, const Fault& fault) {
  const trace::Profile& profile = facts.profile();
  Culprit culprit;
  for (const std::uint32_t rank : fault.ranks) culprit.ranks.push_back(profile.ranks[rank]->number);
  std::ranges::sort(culprit.ranks);
  if (fault.step) culprit.step = profile.names().view(*fault.step);
  if (fault.group) {
    culprit.kind = CulpritKind::group;
    const auto& matches = facts.comparison().matches();
    culprit.name = analysis::label_of(matches.job.groups[*fault.group]);
    return culprit;
  }
  if (profile.ranks.size() < 2) {
    culprit.kind = CulpritKind::job;
  } else if (fault.kind == FaultKind::heavy_stage && !fault.ranks.empty()) {
    culprit.kind = CulpritKind::stage;
    culprit.name = std::to_string(facts.comparison().stage_of(fault.ranks.front()));
  } else if (fault.all_ranks) {
    culprit.kind = CulpritKind::all_ranks;
  } else {
    culprit.kind = culprit.ranks.size() == 1 ? CulpritKind::rank : CulpritKind::ranks;
    if (fault.ranks.size() < 2 || profile.nodes.size() < 2) return culprit;
    const std::uint32_t node = profile.node_of_rank[fault.ranks.front()];
    const bool same = std::ranges::all_of(fault.ranks, [&](std::uint32_t r) { return profile.node_of_rank[r] == node; });
    if (!same || node >= profile.nodes.size() || profile.nodes[node].ranks.size() != fault.ranks.size()) return culprit;
    culprit.kind = CulpritKind::node;
    culprit.name = profile.nodes[node].label;
  }
  return culprit;
}

std::string culprit_text(const Culprit& culprit) {
  switch (culprit.kind) {
    case CulpritKind::job:
      return "";
    case CulpritKind::rank:
    case CulpritKind::ranks:
      return ranks_text(culprit.ranks, true);
    case CulpritKind::node:
      return fmt::format("{} (node {})", ranks_text(culprit.ranks, true), culprit.name);
    case CulpritKind::stage:
      return fmt::format("Pipeline stage {} ({})", culprit.name, ranks_text(culprit.ranks, false));
    case CulpritKind::group:
      return fmt::format("Process group {} ({})", culprit.name, ranks_text(culprit.ranks, false));
    case CulpritKind::all_ranks:
      return "All ranks";
  }
  return "";
}

Outcome outcome_of_faults(const RuleInput& input, const FaultRule& rule) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  const analysis::JobFaults& faults = facts.faults();
  if (faults.step_time <= 0)
    return {Verdict::insufficient_data, "The ranks have no step in common that could be replayed.", {}};
  Outcome outcome{.verdict = Verdict::no_issues, .why = std::string(rule.none)};
  const double least = input.values.real(kShare);
  for (const Fault& fault : faults.faults) {
    if (std::ranges::find(rule.kinds, fault.kind) == rule.kinds.end()) continue;
    const auto share_of_step = [&](Ns time) { return static_cast<double>(time) / static_cast<double>(faults.step_time); };
    const Ns high = std::max(fault.saving, fault.most);
    const double share = share_of_step(high);
    const bool range = high > fault.saving + fault.saving / 10;
    const std::string saving = fmt::format(
        "{}{} ({}{}{})", range ? "up to " : "", format_share(share), range ? "up to " : "", format_duration(high),
        facts.steps() > 0 ? " per step" : "");
    Finding finding;
    finding.culprit = culprit_of(facts, fault);
    finding.cause = analysis::to_string(fault.kind);
    std::string what = cause_text(facts, fault);
    const std::string who = culprit_text(finding.culprit);
    const std::size_t room = kLongestHeadline - std::min(kLongestHeadline, who.size() + saving.size() + 4);
    if (what.size() > room && room > 3) what = shortened(what, room - 3);
    if (share < least) {
      outcome.why += fmt::format("{}{}{}{}: {}, below the limit of {}.", outcome.why.empty() ? "" : " ", who,
                                 who.empty() ? "" : ": ", what, saving, format_share(least));
      continue;
    }
    if (who.empty() && !what.empty()) what.front() = upper(what.front());
    finding.headline = fmt::format("{}{}{}, {}", who, who.empty() ? "" : ": ", what, saving);
    finding.saving = over_steps(facts, fault.saving);
    finding.cost = std::max({finding.saving, over_steps(facts, high), over_steps(facts, fault.cost)});
    finding.saving_low = finding.saving;
    finding.saving_high = over_steps(facts, high);
    const bool waits_count = fault.kind == FaultKind::communication || fault.kind == FaultKind::slow_transfers;
    if (waits_count && !missing_text(facts.profile()).empty()) finding.saving_low = 0;
    finding.evidence_lines = evidence_of(facts, fault, finding);
    if (rule.evidence)
      for (std::string& line : rule.evidence(facts, fault)) finding.evidence_lines.push_back(std::move(line));
    if (finding.evidence_lines.size() > kMostEvidenceLines) finding.evidence_lines.resize(kMostEvidenceLines);
    if (rule.advice) finding.advice = rule.advice(facts, fault);
    for (const trace::SliceRef& place : fault.places) finding.places.push_back(at_slice(facts, place.rank, place.slice));
    outcome.verdict = Verdict::issues_found;
    outcome.findings.push_back(std::move(finding));
  }
  if (!outcome.findings.empty())
    outcome.why = outcome.findings.front().headline + ".";
  return outcome;
}

}  // namespace warpscope::rules
