#pragma once
// How often each rank arrives last at collectives, and how long the others wait for it. Counts only collectives among
// ranks with the same role, because pipeline stages wait for each other by design. Ranks that others wait for at once
// share the wait equally, so equally late ranks are equal: the Shapley value of the arrivals (Littlechild and Owen,
// 1973).
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/scope.hpp"

namespace warpscope::analysis {

/// Sums over the collectives of one rank.
struct Arrivals {
  std::uint64_t collectives = 0;
  std::uint64_t last = 0;
  Ns waited = 0;
  Ns caused = 0;  ///< time others waited for it; time waited for several ranks is shared equally among them
};

struct LateArrivals {
  std::map<std::uint32_t, Arrivals> by_rank;  ///< by rank index
  /// By step name ("" outside steps) and rank index.
  std::map<std::pair<std::string_view, std::uint32_t>, Arrivals> by_step;
  std::vector<std::string_view> steps;  ///< names, in the order of their first collectives
  std::uint64_t excluded = 0;           ///< collectives between ranks of different roles, or with unknown wait times
};

/// Sums the scope's collectives. O(collectives · log ranks).
[[nodiscard]] LateArrivals late_arrivals(const RankComparison& comparison, const Scope& scope, ClockChoice clocks);

}  // namespace warpscope::analysis
