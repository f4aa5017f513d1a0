#pragma once
// Ranks that stand out among the causes of late ranks (core/analysis/ranks/faulty_ranks.hpp), with what findings say of
// them beyond that: where it happens, and what the job would save.
#include <string>
#include <vector>

#include "core/analysis/ranks/faulty_ranks.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct Culprit : analysis::FaultyRank {
  double saved = 0;  ///< share of the job's time that it takes less in a replay with this rank working as its peers
  std::vector<Place> places{};  ///< where it happens, largest first
};

/// By time lost. O(names · slices of these ranks), and a replay for each of the first three.
[[nodiscard]] std::vector<Culprit> culprits(Facts& facts);

/// What to look at for a cause of this class.
[[nodiscard]] std::string advice_for(analysis::CauseClass cause);

}  // namespace warpscope::rules
