// LaunchBound: kernels finish faster than the host launches them.
#include <fmt/format.h>

#include <array>

#include "core/base/format.hpp"
#include "core/rules/kineto/idle_code.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::launch_bound {

namespace {

constexpr std::array kParameters{share_parameter("0.1")};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  CauseTime idle = time_of_cause(facts, IdleCause::launch, "GPU idle until the next launch");
  std::uint64_t launches = 0;
  std::uint64_t late = 0;
  for (std::size_t g = 0; g < facts.gpus().size(); ++g) {
    launches += facts.idle_causes(g).launches;
    late += facts.idle_causes(g).late_launches;
  }
  if (launches == 0) return {Verdict::not_evaluable, "The trace does not associate GPU activity with launches.", {}};
  const std::string found = format_share(static_cast<double>(late) / static_cast<double>(launches));
  const bool fires = facts.matters(idle.time, input.values.real(kShare));
  IdleCode code;
  if (fires)
    code = idle_code(
        facts, [&](std::size_t g) -> const auto& { return facts.idle_causes(g).of(IdleCause::launch); });
  code.add_places(idle.places);
  Evidence evidence =
      code.evidence(facts, fmt::format("Launch delays{}, by code", facts.by_steps() ? " per step" : ""));
  if (evidence.bars.empty()) evidence = idle_by_step(facts, IdleCause::launch);
  return judged(
      fires,
      {fmt::format("{} {} for kernel launches{}; {} of launches occur while the GPU is idle.",
                   by_gpus(facts, "The GPU waits", "GPUs wait"), facts.of_step(idle.time), code.clause(", "), found),
       "", idle.time, idle.time, false, std::move(idle.places), std::move(evidence)},
      fmt::format("Gaps shorter than 1 ms before late launches: {} ({}); {} of launches occur while the GPU is idle.",
                  facts.a_step(idle.time), format_share(facts.share(idle.time)), found));
}

}  // namespace

extern const Rule kRule{
    "LaunchBound",
    "Launch-bound GPU",
    "Idle gaps shorter than 1 ms that end with a kernel launched after the gap started. Graph replays are excluded.",
    kParameters,
    evaluate,
    "Give the GPU more work per launch: torch.compile(mode=\"reduce-overhead\") or CUDA graphs, a larger batch, "
    "fused=True for the optimizer, zero_grad(set_to_none=True). The profiler itself slows the host by a few "
    "microseconds per operator, so the loss is smaller without profiling."};

}  // namespace warpscope::rules::registered::launch_bound
