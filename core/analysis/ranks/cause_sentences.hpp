#pragma once
// Describes why ranks are late, including how much slower their kernels are than their peers'.
#include <string>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

/// Ratios of a rank's kernel durations to those of its peers, the ranks with the same role.
struct KernelRatios {
  double all = 1;      ///< median over kernel names, weighted by time
  double uniform = 0;  ///< fraction of the time that is in kernels within 7 % of that ratio
  std::map<NameId, double> of_name;
};

/// Compares a rank's kernels or memory operations (`kind`) with those of its peers. O(runs) over the rank and up to 15
/// peers.
[[nodiscard]] KernelRatios ratios_of(const RankComparison& comparison, const RunForest& forest, std::uint32_t rank,
                                     RunKind kind);

/// True if a cause's kernels or memory operations (all of them, or the most expensive one) are consistently slower on
/// this rank than on its peers.
[[nodiscard]] bool takes_longer(const RankComparison& comparison, const RunForest& forest, const Blame& blame);

/// Describes the cause: "all kernels ×1.30".
[[nodiscard]] std::string words_of(const trace::Profile& profile, const RankComparison& comparison,
                                   const RunForest& forest, const Blame& blame);

}  // namespace warpscope::analysis
