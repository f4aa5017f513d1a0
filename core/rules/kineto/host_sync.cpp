// HostSync: the host waits for the GPU, which then runs out of work until the next launch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::host_sync {

namespace {

constexpr std::array kParameters{share_parameter()};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  const CallsInWindow calls = calls_in_window(facts, HostCallKind::wait);
  CauseTime idle = time_of_cause(facts, IdleCause::wait, "GPU idle after a host sync");
  if (calls.count == 0) return {Verdict::no_issues, "The host never waits for the GPU.", {}};
  const std::string why = fmt::format(
      "{}, after which {} idle for {} ({}).", counted(calls.count, "synchronizing call", "synchronizing calls"),
      by_gpus(facts, "the GPU is", "GPUs are"), facts.a_step(idle.time), format_share(facts.share(idle.time)));
  // Operator and user code with the most wait time.
  std::map<std::string, Ns> origins;
  for (const Place& place : calls.places) {
    const std::string_view op = facts.operator_of(*place.rank, *place.slice);
    const std::string code = facts.code_of(*place.rank, *place.slice);
    const std::string origin = fmt::format("{}{}{}", op, !op.empty() && !code.empty() ? " in " : "", code);
    if (!origin.empty()) origins[origin] += place.time.length();
  }
  const auto most = std::ranges::max_element(origins, {}, [](const auto& each) { return each.second; });
  const std::string where = most == origins.end() ? "" : most->first;
  std::vector<Place> places = std::move(idle.places);
  places.insert(places.end(), calls.places.begin(), calls.places.end());
  const auto per_step = facts.steps() > 0 ? calls.count / facts.steps() : calls.count;
  return judged(
      facts.matters(idle.time, input.values.real(kShare)),
      {fmt::format("The host waits for the GPU {} times {}{} ({}); the GPU then runs out of work and is idle "
                   "for {}.",
                   format_count(static_cast<std::int64_t>(std::max<std::uint64_t>(1, per_step))), a_step_words(facts),
                   where.empty() ? "" : fmt::format(", mostly from {}", where), calls.most, facts.of_step(idle.time)),
       "", idle.time, idle.time, false, std::move(places), idle_by_step(facts, IdleCause::wait)},
      why);
}

}  // namespace

extern const Rule kRule{
    "HostSync",
    "Host waits for the GPU",
    "GPU idle time between the return of a synchronizing call and the next GPU activity.",
    kParameters,
    evaluate,
    "Avoid .item(), .cpu(), nonzero() and printing tensors in the training loop. Log only every N steps, and keep "
    "values on the GPU. torch.cuda.set_sync_debug_mode(\"warn\") prints a warning with the source line of each wait."};

}  // namespace warpscope::rules::registered::host_sync
