#pragma once
// Describes each collective in one sentence: which rank arrived last, by how much, and why.
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

/// Returns a sentence for each collective: "Rank 5 arrived 3.58 ms after rank 2: kernels +3.56 ms (gemm_nn +1.49 ms).";
/// omits the cause if the lead is small or the ranks have different roles. Names causes for the collectives with the
/// most wait time; for the others, only kinds of causes. O(C log R) for C collectives and R runs, plus O(R) for names.
[[nodiscard]] std::vector<std::string> lead_sentences(const AnalysisInput& input, const RankComparison& comparison,
                                                      ClockChoice choice);

}  // namespace warpscope::analysis
