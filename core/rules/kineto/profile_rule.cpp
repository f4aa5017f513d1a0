#include "core/rules/kineto/profile_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/counted.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::rules {

std::optional<Outcome> too_little(Facts& facts) {
  if (facts.gpus().empty()) return Outcome{Verdict::not_evaluable, "The profile has no GPU activity.", {}};
  if (facts.kernels() < kLeastKernels)
    return Outcome{Verdict::insufficient_data,
                   fmt::format("{} recorded, at least {} needed: record a few training steps.",
                               counted(facts.kernels(), "kernel", "kernels"), kLeastKernels),
                   {}};
  return std::nullopt;
}

Outcome judged(bool fires, Finding finding, std::string why) {
  Outcome outcome{fires ? Verdict::issues_found : Verdict::no_issues, std::move(why), {}};
  if (!fires) return outcome;
  finding.bound = std::min(finding.bound, finding.cost);
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
  if (text.empty()) text = trace::slice_label(profile, {rank, slice});
  return {std::move(text), rank, std::nullopt, time, slice};
}

CauseTime time_of_cause(Facts& facts, IdleCause cause, std::string_view text) {
  CauseTime sum;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    for (const Interval& time : facts.idle_causes(g).of(cause)) {
      sum.time = saturating_add(sum.time, time.length());
      sum.places.push_back(on_gpu(facts, facts.gpus()[g], time, std::string(text)));
    }
    keep_longest(sum.places);
  }
  return sum;
}

CallsInWindow calls_in_window(Facts& facts, HostCallKind kind) {
  CallsInWindow sum;
  std::map<NameId, Ns> by_name;
  std::optional<std::uint32_t> before;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (before == gpu.rank || facts.cancelled()) continue;
    before = gpu.rank;
    for (const HostCall& call : facts.host(gpu.rank).of(kind)) {
      const Ns inside = analysis::total_length(common({call.time}, gpu.parts));
      if (inside <= 0) continue;
      ++sum.count;
      sum.time = saturating_add(sum.time, inside);
      by_name[call.name] = saturating_add(by_name[call.name], inside);
      sum.places.push_back(at_slice(facts, gpu.rank, call.slice));
    }
    keep_longest(sum.places);
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  if (most != by_name.end()) sum.most = facts.profile().names().view(most->first);
  return sum;
}

std::string_view a_step_words(Facts& facts) { return facts.steps() > 0 ? "a step" : "in all"; }

}  // namespace warpscope::rules
