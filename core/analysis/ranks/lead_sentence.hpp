#pragma once
// Describes a collective in one sentence: which rank arrived last, by how much, and why.
#include <string>

#include "core/analysis/ranks/late_explanation.hpp"

namespace warpscope::analysis {

/// Returns "Rank 5 arrived 3.58 ms after rank 2: kernels +3.56 ms (gemm_nn +1.49 ms)."; omits the cause if the lead is
/// small or the ranks have different roles. `choice` must be the explanation's clock choice.
[[nodiscard]] std::string lead_sentence(const trace::Profile& profile, const LateExplanation& explanation,
                                        std::uint32_t collective, ClockChoice choice);

}  // namespace warpscope::analysis
