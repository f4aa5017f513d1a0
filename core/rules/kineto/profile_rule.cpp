#include "core/rules/kineto/profile_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpscope::rules {

std::optional<Outcome> too_little(Facts& facts) {
  if (facts.gpus().empty()) return Outcome{Verdict::not_evaluable, std::string(kNoGpuActivity), {}};
  if (std::string reason = analysis::too_few_kernels(facts.kernels()); !reason.empty())
    return Outcome{Verdict::insufficient_data, std::move(reason), {}};
  return std::nullopt;
}

Outcome judged(bool fires, Finding finding, std::string why) {
  Outcome outcome{fires ? Verdict::issues_found : Verdict::no_issues, std::move(why), {}};
  outcome.compares_share = true;
  if (!fires) return outcome;
  finding.saving = std::min(finding.saving, finding.cost);
  keep_longest(finding.places);
  outcome.findings.push_back(std::move(finding));
  return outcome;
}

Place on_gpu(Facts& facts, const GpuWindow& gpu, Interval time, std::string text,
             std::optional<trace::SliceOrdinal> slice) {
  return {std::move(text), gpu.rank, facts.profile().ranks[gpu.rank]->devices[gpu.device].id, time, slice};
}

Place at_slice(Facts& facts, std::uint32_t rank, trace::SliceOrdinal slice, std::string text) {
  const trace::Profile& profile = facts.profile();
  const Ns begin = profile.ranks[rank]->begin(slice);
  const Interval time{begin, saturating_add(begin, profile.ranks[rank]->duration(slice))};
  return {std::move(text), rank, std::nullopt, time, slice};
}

Evidence bars_by_name(Facts& facts, std::string title, const std::map<NameId, Ns>& times,
                      const std::function<std::string(std::string_view)>& label) {
  std::vector<Evidence::Bar> bars;
  for (const auto& [name, time] : times) {
    const std::string_view text = facts.profile().names().view(name);
    bars.push_back({label ? label(text) : std::string(text), static_cast<double>(facts.mean(time))});
  }
  return largest_bars(std::move(title), ColumnKind::duration, std::move(bars));
}

bool concerns(Facts& facts, const Culprit& culprit, std::uint32_t rank) {
  return culprit.kind == CulpritKind::job || culprit.kind == CulpritKind::all_ranks ||
         std::ranges::binary_search(culprit.ranks, facts.profile().ranks[rank]->number);
}

Evidence idle_by_step(Facts& facts, std::string_view what,
                      const std::function<const std::vector<Interval>&(std::size_t)>& of_gpu, const Culprit& culprit) {
  const std::vector<GpuWindow>& gpus = facts.gpus();
  std::vector<std::size_t> own;
  std::vector<std::pair<Ns, std::size_t>> steps;  // sum and number of GPUs
  for (std::size_t g = 0; g < gpus.size() && !facts.cancelled(); ++g) {
    if (!concerns(facts, culprit, gpus[g].rank)) continue;
    own.push_back(g);
    steps.resize(std::max(steps.size(), gpus[g].parts.size()));
    for (std::size_t s = 0; s < gpus[g].parts.size(); ++s) {
      steps[s].first += analysis::common_length(gpus[g].parts[s], of_gpu(g));
      ++steps[s].second;
    }
  }
  if (own.empty()) return {};
  const std::string of = own.size() == gpus.size() && own.size() > 1 ? "the GPUs"
                         : own.size() > 1                            ? fmt::format("{} GPUs", own.size())
                                                                     : "";
  Evidence evidence{fmt::format("{} in each step{}", what, of.empty() ? "" : ", averaged over " + of),
                    ColumnKind::duration, Evidence::Form::columns};
  if (!facts.by_steps() || steps.size() < 2) {
    evidence.title = fmt::format("{}{}, by GPU", what, facts.by_steps() ? " per step" : "");
    for (std::size_t i = 0; own.size() > 1 && i < std::min(own.size(), kMostColumns); ++i)
      evidence.bars.push_back(
          {gpu_label(facts, gpus[own[i]]), static_cast<double>(analysis::total_length(of_gpu(own[i])))});
    return evidence;
  }
  for (std::size_t s = 0; s < std::min(steps.size(), kMostColumns); ++s)
    evidence.bars.push_back({step_label(facts, gpus[own.front()], s),
                             static_cast<double>(steps[s].first) / static_cast<double>(steps[s].second)});
  return evidence;
}

std::string gpu_label(Facts& facts, const GpuWindow& gpu) {
  const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
  return rank.devices.size() > 1 ? fmt::format("rank {}, GPU {}", rank.number, rank.devices[gpu.device].id)
                                 : fmt::format("rank {}", rank.number);
}

std::string step_label(Facts& facts, const GpuWindow& gpu, std::size_t part) {
  const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
  return part < gpu.steps ? std::string(facts.profile().names().view(rank.steps[gpu.first_step + part].name))
                          : fmt::format("evaluated step {}", part + 1);
}

CallsInWindow calls_in_window(Facts& facts, analysis::HostWork kind, const Culprit& culprit) {
  CallsInWindow sum;
  std::map<NameId, Ns> by_name;
  std::optional<std::uint32_t> before;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (before == gpu.rank || facts.cancelled() || !concerns(facts, culprit, gpu.rank)) continue;
    before = gpu.rank;
    for (const NamedCall& call : facts.host(gpu.rank).of(kind)) {
      const Ns inside = analysis::total_length(common({call.time}, {gpu.host}));
      if (inside <= 0) continue;
      ++sum.count;
      by_name[call.name] = saturating_add(by_name[call.name], inside);
      sum.places.push_back(at_slice(facts, gpu.rank, call.slice));
    }
    keep_longest(sum.places);
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  if (most != by_name.end()) sum.most = facts.profile().names().view(most->first);
  return sum;
}

std::string_view by_gpus(Facts& facts, std::string_view one, std::string_view several) {
  return facts.gpus().size() == 1 ? one : several;
}

std::string_view a_step_words(Facts& facts) { return facts.steps() > 0 ? "per step" : "in total"; }

}  // namespace warpscope::rules
