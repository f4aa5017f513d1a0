#include "core/analysis/causes/fault_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::analysis {

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

namespace {

std::string ranks_text(const std::vector<std::int64_t>& numbers, bool capital) {
  return fmt::format("{}ank{} {}", capital ? "R" : "r", numbers.size() == 1 ? "" : "s", numbers_text(numbers));
}

constexpr std::size_t kLongestHeadline = 90;

std::string_view gpu_work(const Fault& fault) { return fault.memory ? "memory operations" : "kernels"; }

std::string slower(double ratio) { return fmt::format("{:.2g}× slower", ratio); }

std::string what_text(const trace::Profile& profile, const Fault& fault) {
  const std::string_view name = profile.names().view(fault.name);
  switch (fault.kind) {
    case FaultKind::slow_gpu:
      return fault.work >= kMoreWork ? fmt::format("{:.2g}× as much work", fault.ratio)
             : fault.some_kernels    ? fmt::format("some {} {}", gpu_work(fault), slower(fault.name_ratio))
                                     : fmt::format("{} {}", gpu_work(fault), slower(fault.ratio));
    case FaultKind::slow_steps:
      return fmt::format("{} {}{}", gpu_work(fault), slower(fault.ratio), fault.step ? "" : " in some steps");
    case FaultKind::heavy_stage:
      return fmt::format("{:.2g}× as much computation", fault.ratio);
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
      if (name.empty()) return "host pauses";
      return fmt::format("host pauses in {}{}", name, fault.other_names ? " and other calls" : "");
    case FaultKind::slow_host:
      return fault.ratio > 1 ? fmt::format("host {}", slower(fault.ratio)) : "slow host";
    case FaultKind::callbacks:
      return "host functions in CUDA graphs";
    case FaultKind::slow_group:
      return fmt::format("transfers {}", slower(fault.ratio));
    case FaultKind::slow_transfers:
      return "some transfers much slower than others";
    case FaultKind::waits:
      return "the host waits for the GPU";
    case FaultKind::launches:
      return "the host launches too late";
    case FaultKind::communication:
      return "communication not overlapped";
  }
  return "";
}

}  // namespace

std::string cause_text(const trace::Profile& profile, const Fault& fault) {
  return what_text(profile, fault) + (fault.step ? fmt::format(" in {}", profile.names().view(*fault.step)) : "");
}

Culprit culprit_of(const trace::Profile& profile, const RankComparison& comparison, const Fault& fault) {
  Culprit culprit;
  for (const std::uint32_t rank : fault.ranks) culprit.ranks.push_back(profile.ranks[rank]->number);
  std::ranges::sort(culprit.ranks);
  if (fault.step) culprit.step = profile.names().view(*fault.step);
  if (fault.group) {
    culprit.kind = CulpritKind::group;
    const auto& matches = comparison.matches();
    culprit.name = label_of(matches.job.groups[*fault.group]);
    return culprit;
  }
  if (profile.ranks.size() < 2) {
    culprit.kind = CulpritKind::job;
  } else if (fault.kind == FaultKind::heavy_stage && !fault.ranks.empty()) {
    culprit.kind = CulpritKind::stage;
    culprit.name = std::to_string(comparison.stage_of(fault.ranks.front()));
  } else if (fault.all_ranks) {
    culprit.kind = CulpritKind::all_ranks;
  } else {
    culprit.kind = culprit.ranks.size() == 1 ? CulpritKind::rank : CulpritKind::ranks;
    if (fault.ranks.size() < 2 || profile.nodes.size() < 2) return culprit;
    const std::uint32_t node = profile.node_of_rank[fault.ranks.front()];
    const bool same =
        std::ranges::all_of(fault.ranks, [&](std::uint32_t r) { return profile.node_of_rank[r] == node; });
    if (!same || node >= profile.nodes.size() || profile.nodes[node].ranks.size() != fault.ranks.size()) return culprit;
    culprit.kind = CulpritKind::node;
    culprit.name = profile.nodes[node].label;
    if (profile.nodes[node].host != culprit.name) culprit.host = profile.nodes[node].host;
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
      return fmt::format("{} (node {}{}{})", ranks_text(culprit.ranks, true), culprit.name,
                         culprit.host.empty() ? "" : ", ", culprit.host);
    case CulpritKind::stage:
      return fmt::format("Pipeline stage {} ({})", culprit.name, ranks_text(culprit.ranks, false));
    case CulpritKind::group:
      return fmt::format("Process group {} ({})", culprit.name, ranks_text(culprit.ranks, false));
    case CulpritKind::all_ranks:
      return "All ranks";
  }
  return "";
}

std::string fault_headline(const trace::Profile& profile, const RankComparison& comparison, const JobFaults& faults,
                           const Fault& fault) {
  const Ns high = std::max(fault.saving, fault.most);
  const bool range = high > fault.low + fault.low / 10;
  const double share = faults.step_time > 0 ? static_cast<double>(high) / static_cast<double>(faults.step_time) : 0;
  const std::string saving = fmt::format("{0}{1} ({2}{3})", range ? "up to " : "", format_share(share),
                                         format_duration(high), faults.by_steps ? " per step" : "");
  const std::string who = culprit_text(culprit_of(profile, comparison, fault));
  std::string what = cause_text(profile, fault);
  const std::size_t room = kLongestHeadline - std::min(kLongestHeadline, who.size() + saving.size() + 4);
  if (what.size() > room && room > 3) what = shortened(what, room - 3);
  if (who.empty() && !what.empty()) what.front() = upper(what.front());
  return fmt::format("{}{}{}, {}", who, who.empty() ? "" : ": ", what, saving);
}

const Fault* fault_of(const JobFaults& faults, std::uint32_t rank) {
  const auto found = std::ranges::find_if(faults.faults, [&](const Fault& fault) {
    return !fault.all_ranks && !fault.group && std::ranges::binary_search(fault.ranks, rank);
  });
  return found == faults.faults.end() ? nullptr : &*found;
}

const Fault* largest_fault(const JobFaults& faults) {
  const auto largest = std::ranges::max_element(faults.faults, {},
                                                [](const Fault& fault) { return std::max(fault.saving, fault.most); });
  return largest == faults.faults.end() ? nullptr : &*largest;
}

std::string late_answer(const trace::Profile& profile, const RankComparison& comparison, const JobFaults& faults) {
  if (!faults.reason.empty()) return faults.reason;
  for (const Fault& fault : faults.faults)
    if (!fault.all_ranks && !fault.ranks.empty()) return fault_headline(profile, comparison, faults, fault) + ".";
  const Fault* const largest = largest_fault(faults);
  if (largest == nullptr) return "No rank stands out from its peers.";
  return fmt::format("No rank stands out from its peers. {}.", fault_headline(profile, comparison, faults, *largest));
}

}  // namespace warpscope::analysis
