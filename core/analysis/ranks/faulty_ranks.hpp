#pragma once
// Ranks that stand out as causes of delay, used by Findings and the Dashboard. These are not always the ranks that
// arrive last most often: a rank may merely pass on another rank's delay, and one long delay may cost more than many
// short ones.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

struct FaultyRank {
  std::uint32_t rank = 0;                ///< index
  Ns lost = 0;                           ///< total GPU time that other ranks lose to it
  std::string words{};                   ///< its causes in a few words: "all kernels ×1.30"; joined by "; "
  CauseClass most = CauseClass::kernel;  ///< class of the largest cause
};

/// Returns the ranks that stand out, sorted by time lost, largest first. O(causes · faulty ranks).
[[nodiscard]] std::vector<FaultyRank> faulty_ranks(const BlameSum& sum);

/// Returns the GPU time (ns) that other ranks lose to each rank (index), whether or not it stands out.
[[nodiscard]] std::map<std::uint32_t, double> lost_by_rank(const BlameSum& sum);

/// True if the last rank to arrive (`last`, an index) itself makes the others wait (`wait`, ns of GPU time); false if
/// ranks in `faulty` are, or may be, the cause. Unless `faulty` is empty or contains `last`, `last` must cause at least
/// half of the wait, and the faulty ranks less than a quarter.
[[nodiscard]] bool is_at_fault(const BlameSum& sum, std::span<const FaultyRank> faulty, std::uint32_t last, Ns wait);

}  // namespace warpscope::analysis
