#include "core/rules/rule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpscope::rules {

void keep_longest(std::vector<Place>& places) {
  const auto length = [&](std::size_t i) { return places[i].weight.value_or(places[i].time.length()); };
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t kept = std::min(order.size(), kMostPlaces);
  std::ranges::partial_sort(
      order, order.begin() + static_cast<std::ptrdiff_t>(kept),
      [&](std::size_t a, std::size_t b) { return std::pair(-length(a), a) < std::pair(-length(b), b); });
  std::vector<Place> longest;
  for (std::size_t i = 0; i < kept; ++i) longest.push_back(std::move(places[order[i]]));
  places = std::move(longest);
}

std::string_view rule_of(analysis::FaultKind kind) {
  static constexpr std::array<std::string_view, analysis::kFaultKinds> kRules{
      "LateRank",       "LateRank",       "RankImbalance", "DataLoader",
      "Recompilation",  "AllocatorChurn", "HostStall",     "HostStall",
      "HostStall",      "LateRank",       "HostStall",     "SlowCollective",
      "SlowCollective", "HostSync",       "LaunchBound",   "ExposedCommunication"};
  return word_at(kRules, kind);
}

}  // namespace warpscope::rules
