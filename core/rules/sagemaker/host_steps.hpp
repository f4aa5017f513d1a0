#pragma once
// Steps of the host as SageMaker Debugger's rules for framework data see them: by rank and phase, such as
// "Step:ModeKeys.TRAIN" or "ProfilerStep".
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
  std::string phase;               ///< names of the steps without their numbers
  std::vector<trace::Step> steps;  ///< by start
};

/// Rank by rank, phases by name. `mode`: only phases whose name contains it. A mode without letters is not a name and
/// excludes nothing: the documentation of AWS's rule has "5" as its default.
[[nodiscard]] std::vector<StepPhase> step_phases(Facts& facts, std::string_view mode = {});

/// StepOutlier by AWS's arithmetic: after each `interval`, once a phase has more than 100 steps, steps longer than mean
/// + `deviations` · standard deviation are outliers. More than `outliers` of them trigger, and each interval counts all
/// of them again.
[[nodiscard]] AwsCounts step_outlier_counts(const std::vector<StepPhase>& phases, double deviations,
                                            std::int64_t outliers, Ns interval = 60'000'000'000);

}  // namespace warpscope::rules
