// Recompilation: TorchDynamo or Inductor compiles in measured steps.
#include <fmt/format.h>

#include <array>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::recompilation {

namespace {

constexpr std::array kParameters{share_parameter()};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  CallsInWindow calls = calls_in_window(facts, HostCallKind::compilation);
  if (calls.count == 0) return {Verdict::no_issues, "No code is compiled in the evaluated time.", {}};
  if (!facts.by_steps() || facts.steps() <= facts.gpus().size())
    return {
        Verdict::insufficient_data, "Needs at least two steps, because compilation in the first step is normal.", {}};
  const CauseTime idle = time_of_cause(facts, IdleCause::compilation, "");
  return judged(
      facts.matters(idle.time, input.values.real(kShare)),
      {fmt::format("Code is compiled in measured steps (mostly {}), leaving {} idle for {}.", calls.most,
                   by_gpus(facts, "the GPU", "GPUs"), facts.of_step(idle.time)),
       "", idle.time, idle.time, false, std::move(calls.places), idle_by_step(facts, IdleCause::compilation)},
      fmt::format("{}, leaving {} idle for {} ({}).", counted(calls.count, "call compiles", "calls compile"),
                  by_gpus(facts, "the GPU", "GPUs"), facts.a_step(idle.time), format_share(facts.share(idle.time))));
}

}  // namespace

extern const Rule kRule{
    "Recompilation",
    "Compilation during training",
    "Idle GPU time while TorchDynamo or Inductor compiles in measured steps.",
    kParameters,
    evaluate,
    "TORCH_LOGS=recompiles shows the guard that failed. Mark changing dimensions with torch._dynamo.mark_dynamic, pad "
    "batches to a few sizes, or warm up every shape before training."};

}  // namespace warpscope::rules::registered::recompilation
