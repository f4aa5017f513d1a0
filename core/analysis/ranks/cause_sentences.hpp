#pragma once
// Words for causes of lateness: how much slower the kernels of a rank are than those of its peers, and each cause
// in a few words.
#include <string>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

/// How many times as long a rank's kernels take as those of ranks with its role.
struct KernelRatios {
  double all = 1;      ///< median over kernel names, weighted by time
  double uniform = 0;  ///< share of the time in kernels within 7 % of that ratio
  std::map<NameId, double> of_name;
};

/// `kind`: kernels or memory operations. O(runs of the rank and of up to 15 peers).
[[nodiscard]] KernelRatios ratios_of(const RankComparison& comparison, const RunForest& forest, std::uint32_t rank,
                                     RunKind kind);

/// True if the kernels or memory operations of a cause take longer than the peers' in general, not by chance: all of
/// them, or the one that costs most.
[[nodiscard]] bool takes_longer(const RankComparison& comparison, const RunForest& forest, const Blame& blame);

/// "all kernels ×1.30".
[[nodiscard]] std::string words_of(const trace::Profile& profile, const RankComparison& comparison,
                                   const RunForest& forest, const Blame& blame);

}  // namespace warpscope::analysis
