// AllocatorChurn: device memory is allocated and freed through the driver during training.
#include <fmt/format.h>

#include <array>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::allocator_churn {

namespace {

constexpr std::array kParameters{share_parameter()};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  CallsInWindow calls = calls_in_window(facts, HostCallKind::allocation);
  if (calls.count == 0) return {Verdict::no_issues, "No memory is allocated or freed through the driver.", {}};
  if (!facts.by_steps() || facts.steps() <= facts.gpus().size())
    return {Verdict::insufficient_data, "Needs two steps: allocating memory in the first is normal.", {}};
  const CauseTime idle = time_of_cause(facts, IdleCause::allocation, "");
  const Ns cost = std::max(calls.time, idle.time);
  return judged(
      facts.matters(idle.time, input.values.real(kShare)),
      {fmt::format("{} that allocate or free device memory (mostly {}) keep GPUs idle for {}.",
                   counted(calls.count, "driver call", "driver calls"), calls.most, facts.of_step(idle.time)),
       "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, do not call torch.cuda.empty_cache() in the loop, and "
       "keep the shapes of batches constant.",
       cost, idle.time, false, std::move(calls.places), idle_by_step(facts, IdleCause::allocation)},
      fmt::format("{} of {}; GPUs are idle meanwhile for {} ({}).", counted(calls.count, "call", "calls"),
                  facts.a_step(calls.time), facts.a_step(idle.time), format_share(facts.share(idle.time))));
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"AllocatorChurn", "Memory allocated through the driver",
                 "Idle GPU time around cudaMalloc, cudaFree and similar calls in measured steps.", kParameters,
                 evaluate};

}  // namespace warpscope::rules::registered::allocator_churn
