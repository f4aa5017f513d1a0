// ExposedCommunication: communication that no computation overlaps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/shared/device_time.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::exposed_communication {

namespace {

constexpr std::array kParameters{share_parameter("0.1")};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  Ns exposed = 0;
  Ns communication = 0;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const auto rows = facts.rows(gpu.rank);
    const auto of = [&](analysis::KernelClass kind) {
      return analysis::union_of(
          *rows, [&](const analysis::GpuRow& row) { return row.device == gpu.device && row.kind == kind; });
    };
    const std::vector<Interval> all = common(of(analysis::KernelClass::communication), gpu.parts);
    const std::vector<Interval> alone = analysis::without(all, of(analysis::KernelClass::computation));
    communication = saturating_add(communication, analysis::total_length(all));
    exposed = saturating_add(exposed, analysis::total_length(alone));
    if (alone.empty()) continue;
    for (const analysis::GpuRow& row : *rows) {
      if (row.device != gpu.device || row.kind != analysis::KernelClass::communication) continue;
      const Ns time = analysis::common_length({row.time}, alone);
      if (time <= 0) continue;
      by_name[row.name] = saturating_add(by_name[row.name], time);
      places.push_back(
          on_gpu(facts, gpu, row.time, trace::kernel_label(facts.profile().names().view(row.name)), row.slice));
    }
    keep_longest(places);
  }
  if (communication == 0) return {Verdict::not_evaluable, "The GPUs do not communicate.", {}};
  // Waiting for a late rank is not saved by overlapping.
  Ns waits = 0;
  for (const analysis::MatchedCollective& collective : facts.collectives().collectives) {
    Ns shortest = collective.members.front().time.length();
    for (const auto& member : collective.members) shortest = std::min(shortest, member.time.length());
    for (const auto& member : collective.members) waits = saturating_add(waits, member.time.length() - shortest);
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  const std::string name = most == by_name.end() ? "" : trace::kernel_label(facts.profile().names().view(most->first));
  const std::size_t ranks = facts.profile().ranks.size();
  const std::int64_t world = facts.profile().ranks.front()->world_size;
  const std::string missing = world > static_cast<std::int64_t>(ranks)
                                  ? fmt::format(
                                        " Only {} of {} ranks have traces, so this may include waiting for the "
                                        "others.",
                                        ranks, world)
                                  : "";
  const bool mostly_waits = waits > exposed / 2;
  return judged(
      facts.matters(exposed, input.values.real(kShare)),
      {fmt::format("{} is communication that no computation overlaps, mostly {}.{}{}", facts.of_step(exposed), name,
                   missing, mostly_waits ? " Most of it is waiting for late ranks." : ""),
       "DDP: bucket_cap_mb, gradient_as_bucket_view=True, no_sync() while accumulating gradients. FSDP: forward and "
       "backward prefetching. Sending bf16 instead of fp32 halves it.",
       exposed, std::max<Ns>(0, exposed - waits), false, std::move(places),
       bars_by_name(facts, "Communication that nothing overlaps, by kernel", by_name, trace::kernel_label)},
      fmt::format("{} of communication, {} ({}) not overlapped by computation.", facts.a_step(communication),
                  facts.a_step(exposed), format_share(facts.share(exposed))));
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"ExposedCommunication", "Exposed communication",
                 "Communication during which no kernel computes. The saving does not include waiting for late "
                 "ranks.",
                 kParameters, evaluate};

}  // namespace warpscope::rules::registered::exposed_communication
