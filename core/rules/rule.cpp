#include "core/rules/rule.hpp"

#include <algorithm>

namespace warpscope::rules {

void keep_longest(std::vector<Place>& places) {
  std::ranges::stable_sort(places, std::greater(),
                           [](const Place& place) { return place.weight.value_or(place.time.length()); });
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
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
