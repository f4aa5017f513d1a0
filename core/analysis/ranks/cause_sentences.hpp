#pragma once
// Describes causes of lateness in words, including how much slower a rank's kernels are than those of its peers.
#include <string>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

/// Ratios of a rank's kernel durations to those on ranks with the same role.
struct KernelRatios {
  double all = 1;      ///< median over kernel names, weighted by time
  double uniform = 0;  ///< fraction of the time that is in kernels within 7 % of that ratio
  std::map<NameId, double> of_name;
};

/// Compares kernels or memory operations (`kind`) of a rank with its peers. O(runs of the rank and of up to 15 peers).
[[nodiscard]] KernelRatios ratios_of(const RankComparison& comparison, const RunForest& forest, std::uint32_t rank,
                                     RunKind kind);

/// True if the kernels or memory operations of a cause (all of them, or the most expensive one) are consistently slower
/// than on the rank's peers.
[[nodiscard]] bool takes_longer(const RankComparison& comparison, const RunForest& forest, const Blame& blame);

/// Returns the cause in words: "all kernels ×1.30".
[[nodiscard]] std::string words_of(const trace::Profile& profile, const RankComparison& comparison,
                                   const RunForest& forest, const Blame& blame);

}  // namespace warpscope::analysis
