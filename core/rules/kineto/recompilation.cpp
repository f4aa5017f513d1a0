// Recompilation: code is compiled in measured steps.
#include <array>

#include "core/rules/kineto/fault_rule.hpp"

namespace warpscope::rules::registered::recompilation {

namespace {

constexpr std::array kParameters{share_parameter()};

Outcome evaluate(const RuleInput& input) {
  return outcome_of_faults(input, {.kinds = {analysis::FaultKind::compilation},
                                   .none = "Compilation costs little or nothing in the evaluated time."});
}

}  // namespace

extern const Rule kRule{
    "Recompilation",
    "Compilation during training",
    "Time that a replay gains if the evaluated steps compile nothing.",
    kParameters,
    evaluate,
    "TORCH_LOGS=recompiles shows the guard that failed. Mark changing dimensions with torch._dynamo.mark_dynamic, pad "
    "batches to a few sizes, or warm up every shape before training."};

}  // namespace warpscope::rules::registered::recompilation
