// RankImbalance: a pipeline stage that computes longer than the others.
#include <array>

#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::rank_imbalance {

namespace {

constexpr std::array kParameters{share_parameter("0.03")};

Outcome evaluate(const RuleInput& input) {
  if (auto outcome = too_little(input.facts)) return *outcome;
  if (input.facts.profile().ranks.size() < 2)
    return {Verdict::not_evaluable, "Needs traces from at least two ranks.", {}};
  return outcome_of_faults(input, {.kinds = {analysis::FaultKind::heavy_stage},
                                   .none = "No pipeline stage computes longer than the others."});
}

}  // namespace

extern const Rule kRule{
    "RankImbalance",
    "Unbalanced pipeline",
    "Pipeline stages that compute longer than the others. The saving is what a replay gains if they "
    "compute as long as the median stage.",
    kParameters,
    evaluate,
    "Move layers from the heavy stage to the others, and count embedding, loss and vocabulary "
    "projection as layers."};

}  // namespace warpscope::rules::registered::rank_imbalance
