#pragma once
// The answer of a comparison: how much longer steps take, and whether a rank delays the others more than before.
// Kernels of collectives include the wait for late ranks, so a table of kernels alone would blame the network for a
// slow rank.
#include <string>

#include "core/analysis/diff/slowdown.hpp"

namespace warpscope::analysis {

/// Returns one or two sentences; "" if the profiles have no steps in common. `found`: the comparison of the profiles.
[[nodiscard]] std::string diff_answer(const trace::Profile& control, const trace::Profile& test,
                                      const Slowdowns& found);

}  // namespace warpscope::analysis
