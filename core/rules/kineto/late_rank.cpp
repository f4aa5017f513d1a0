// LateRank: ranks that keep the others waiting, because their kernels or their host take longer than those of their
// peers, throughout or in some steps.
#include <fmt/format.h>

#include <array>

#include "core/base/counted.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/missing_ranks.hpp"

namespace warpscope::rules::registered::late_rank {

namespace {

using analysis::Fault;
using analysis::FaultKind;

constexpr std::array kParameters{share_parameter("0.03")};

std::string advice_for(Facts&, const Fault& fault) {
  if (fault.kind == FaultKind::slow_host)
    return "Compare the launching threads in the Timeline. Possible causes are CPU binding, other processes on the "
           "host, and slower CPUs.";
  if (fault.work >= analysis::kMoreWork)
    return "Balance the work: give each rank equally many tokens (pack or sort sequences by length), and check how "
           "samples or experts are assigned to ranks.";
  if (fault.kind == FaultKind::slow_steps && fault.all_ranks)
    return "Another rank is slow each time: compare the input sizes of these steps, and check for GPUs that reduce "
           "their clocks (nvidia-smi -q -d PERFORMANCE).";
  if (fault.some_kernels)
    return "Most kernels take about as long as on peers, so the GPU's clocks are not the cause. Compare the slow "
           "kernels' input with a peer's (shapes, padding, alignment), and check for other work at the same time: "
           "copies, other streams, other processes.";
  return "Compare the GPU's clocks, temperature and power limit with those of the other GPUs: nvidia-smi -q -d "
         "CLOCK,TEMPERATURE,POWER,PERFORMANCE. If they agree, compare the input shapes and, in a pipeline, the "
         "layers of the stages.";
}

Outcome evaluate(const RuleInput& input) {
  if (auto outcome = too_little(input.facts)) return *outcome;
  if (input.facts.profile().ranks.size() < 2)
    return {Verdict::not_evaluable, "Needs traces from at least two ranks.", {}};
  const trace::MissingRanks missing = trace::missing_ranks(input.facts.profile());
  const std::string none =
      missing.count == 0
          ? "No rank's kernels or host take longer than its peers'."
          : fmt::format("No kernels or host of the {} recorded ranks take longer than their peers'; {} have no traces.",
                        input.facts.profile().ranks.size(), counted(missing.count, "rank", "ranks"));
  return outcome_of_faults(input, {.kinds = {FaultKind::slow_gpu, FaultKind::slow_steps, FaultKind::slow_host},
                                   .advice = advice_for,
                                   .none = none});
}

}  // namespace

extern const Rule kRule{"LateRank",
                        "Late ranks",
                        "Ranks whose kernels or host take longer than those of ranks with the same role, throughout or "
                        "in some steps. The saving is what a replay gains if they take as long as their peers.",
                        kParameters,
                        evaluate,
                        "Compare the late rank's kernels, launches and input with another rank's."};

}  // namespace warpscope::rules::registered::late_rank
