// AllocatorChurn: device memory is allocated and freed through the driver during training.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::allocator_churn {

namespace {

constexpr std::array kParameters{share_parameter()};
constexpr std::size_t kLeastPairs = 2;
constexpr double kEarlier = 5;

/// Returns the number of steps, over all ranks, in which memory is both freed and allocated.
std::size_t steps_with_pairs(Facts& facts) {
  std::size_t steps = 0;
  std::optional<std::uint32_t> before;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (before == gpu.rank) continue;
    before = gpu.rank;
    const auto& calls = facts.host(gpu.rank).of(HostCallKind::allocation);
    for (const Interval& part : gpu.parts) {
      const auto any = [&](bool frees) {
        return std::ranges::any_of(calls, [&](const HostCall& call) {
          const bool is_free = facts.profile().names().view(call.name).find("Free") != std::string_view::npos;
          return part.contains(call.time.begin) && is_free == frees;
        });
      };
      if (any(true) && any(false)) ++steps;
    }
  }
  return steps;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  CallsInWindow calls = calls_in_window(facts, HostCallKind::allocation);
  if (calls.count == 0) return {Verdict::no_issues, "No memory is allocated or freed through the driver.", {}};
  if (!facts.by_steps() || facts.steps() <= facts.gpus().size())
    return {Verdict::insufficient_data,
            "Needs at least two steps, because allocating memory in the first step is normal.",
            {}};
  const CauseTime idle = time_of_cause(facts, IdleCause::allocation, "");
  const Ns cost = std::max(calls.time, idle.time);
  const std::size_t pairs = steps_with_pairs(facts);
  const std::string again = pairs < kLeastPairs ? ""
                                                : fmt::format(" In {} of {} steps, memory is both freed and allocated.",
                                                              pairs, facts.steps_of_ranks());
  // Freeing and reallocating in several steps is never intended, even if it still costs little.
  const double least = input.values.real(kShare) / (pairs >= kLeastPairs ? kEarlier : 1);
  return judged(
      facts.matters(idle.time, least),
      {fmt::format("{} that allocate or free device memory (mostly {}) keep {} idle for {}.{}",
                   counted(calls.count, "driver call", "driver calls"), calls.most, by_gpus(facts, "the GPU", "GPUs"),
                   facts.of_step(idle.time), again),
       "", cost, idle.time, false, std::move(calls.places), idle_by_step(facts, IdleCause::allocation)},
      fmt::format("{} ({}), with {} idle for {} ({}).", counted(calls.count, "call", "calls"), facts.a_step(calls.time),
                  by_gpus(facts, "the GPU", "GPUs"), facts.a_step(idle.time), format_share(facts.share(idle.time))));
}

}  // namespace

extern const Rule kRule{"AllocatorChurn",
                        "Memory allocated through the driver",
                        "Idle GPU time around cudaMalloc, cudaFree and similar calls in measured steps. If at least "
                        "two steps both free and allocate memory, the limit is one fifth as high.",
                        kParameters,
                        evaluate,
                        "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, do not call torch.cuda.empty_cache() in "
                        "the loop, and keep batch shapes constant."};

}  // namespace warpscope::rules::registered::allocator_churn
