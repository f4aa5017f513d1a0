#pragma once
// Ranks that stand out among the causes of late ranks, as the Ranks page names them, for the rules that compare ranks.
// Who comes last in most collectives is another question: a rank may only pass on the delay of another one, and one
// that is late once may cost more than one that is always a little late.
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/lead_causes.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct Culprit {
  std::uint32_t rank = 0;  ///< index
  Ns lost = 0;             ///< GPU time that others wait for it, summed over the evaluated time
  double saved = 0;   ///< share of the job's time that it takes less in a replay with this rank working as its peers
  std::string words;  ///< "all kernels ×1.30"; several causes are joined by "; "
  analysis::CauseClass most = analysis::CauseClass::kernel;  ///< class of the largest cause
  std::vector<Place> places{};                               ///< where it happens, largest first
};

/// By time lost. O(names · slices of these ranks), and a replay for each of the first three.
[[nodiscard]] std::vector<Culprit> culprits(Facts& facts);

/// What to look at for a cause of this class.
[[nodiscard]] std::string advice_for(analysis::CauseClass cause);

}  // namespace warpscope::rules
