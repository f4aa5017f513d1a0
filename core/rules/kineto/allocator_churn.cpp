// AllocatorChurn: device memory is allocated and freed through the driver during training.
#include <array>

#include "core/rules/kineto/fault_rule.hpp"

namespace warpscope::rules::registered::allocator_churn {

namespace {

constexpr std::array kParameters{share_parameter("0.03")};

Outcome evaluate(const RuleInput& input) {
  return outcome_of_faults(input, {.kinds = {analysis::FaultKind::allocation},
                                   .none = "Driver calls that allocate or free memory cost little or nothing."});
}

}  // namespace

extern const Rule kRule{"AllocatorChurn",
                        "Memory allocated through the driver",
                        "Time that a replay gains without cudaMalloc, cudaFree and similar calls in measured steps.",
                        kParameters,
                        evaluate,
                        "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, do not call torch.cuda.empty_cache() in "
                        "the loop, and keep batch shapes constant."};

}  // namespace warpscope::rules::registered::allocator_churn
