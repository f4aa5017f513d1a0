#pragma once
// Ranks that stand out among the causes of late ranks, for all who name a late rank: Findings and the Dashboard. Who
// comes last in most collectives is another question: a rank may only pass on the delay of another one, and one that
// is late once may cost more than one that is always a little late.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

struct FaultyRank {
  std::uint32_t rank = 0;                ///< index
  Ns lost = 0;                           ///< GPU time that others wait for it, in total
  std::string words{};                   ///< "all kernels ×1.30"; several causes are joined by "; "
  CauseClass most = CauseClass::kernel;  ///< class of the largest cause
};

/// By time lost. O(causes · faulty ranks).
[[nodiscard]] std::vector<FaultyRank> faulty_ranks(const BlameSum& sum);

/// ns of GPU time that others wait because of each rank (index), whether it stands out or not.
[[nodiscard]] std::map<std::uint32_t, double> lost_by_rank(const BlameSum& sum);

/// True if the others wait for the rank that arrives last (`last`, an index; `wait`: their GPU time) because of this
/// rank itself. False if that is the fault of ranks in `faulty`, or may be: `last` must lose the others at least half
/// of the wait itself, and the faulty ranks little.
[[nodiscard]] bool is_at_fault(const BlameSum& sum, std::span<const FaultyRank> faulty, std::uint32_t last, Ns wait);

}  // namespace warpscope::analysis
