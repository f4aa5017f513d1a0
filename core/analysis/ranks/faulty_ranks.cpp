#include "core/analysis/ranks/faulty_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpscope::analysis {

std::vector<FaultyRank> faulty_ranks(const BlameSum& sum) {
  std::vector<FaultyRank> ranks;
  for (const Blame& blame : sum.causes) {
    if (!blame.stands_out) continue;
    auto faulty = std::ranges::find(ranks, blame.rank, &FaultyRank::rank);
    if (faulty == ranks.end()) faulty = ranks.insert(ranks.end(), {.rank = blame.rank, .most = blame.cause});
    faulty->lost = saturating_add(faulty->lost, std::llround(blame.lost));
    faulty->words += (faulty->words.empty() ? "" : "; ") + blame.words;
  }
  std::ranges::stable_sort(ranks, std::greater(), &FaultyRank::lost);
  return ranks;
}

std::map<std::uint32_t, double> lost_by_rank(const BlameSum& sum) {
  std::map<std::uint32_t, double> ranks;
  for (const Blame& blame : sum.causes) ranks[blame.rank] += blame.lost;
  return ranks;
}

bool is_at_fault(const BlameSum& sum, std::span<const FaultyRank> faulty, std::uint32_t last, Ns wait) {
  constexpr Ns kMuchLess = 4;
  if (faulty.empty() || std::ranges::find(faulty, last, &FaultyRank::rank) != faulty.end()) return true;
  Ns lost = 0;
  for (const FaultyRank& each : faulty) lost = saturating_add(lost, each.lost);
  const auto by_rank = lost_by_rank(sum);
  const auto own = by_rank.find(last);
  return lost < wait / kMuchLess && own != by_rank.end() && 2 * own->second >= static_cast<double>(wait);
}

}  // namespace warpscope::analysis
