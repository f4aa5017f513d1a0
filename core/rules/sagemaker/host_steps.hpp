#pragma once
// Host steps by rank and phase (such as "Step:ModeKeys.TRAIN" or "ProfilerStep"), for SageMaker Debugger's framework
// rules.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::rules {

struct StepPhase {
  std::uint32_t rank = 0;          ///< index
  std::string phase;               ///< step names without their numbers
  std::vector<trace::Step> steps;  ///< by start
};

/// Returns the steps rank by rank, with phases sorted by name. If `mode` contains letters, only phases whose names
/// contain it are included. Other modes have no effect, because AWS documents "5" as the rule's default.
[[nodiscard]] std::vector<StepPhase> step_phases(Facts& facts, std::string_view mode = {});

/// Computes StepOutlier with AWS's arithmetic: after each `interval`, once a phase has more than 100 steps, steps
/// longer than mean + `deviations` · standard deviation are outliers. More than `outliers` outliers trigger the rule.
/// Each interval counts all outliers again.
[[nodiscard]] AwsCounts step_outlier_counts(const std::vector<StepPhase>& phases, double deviations,
                                            std::int64_t outliers, Ns interval = 60'000'000'000);

}  // namespace warpscope::rules
