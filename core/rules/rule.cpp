#include "core/rules/rule.hpp"

#include <algorithm>

namespace warpscope::rules {

void keep_longest(std::vector<Place>& places) {
  std::ranges::stable_sort(places, std::greater(),
                           [](const Place& place) { return place.weight.value_or(place.time.length()); });
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
}

}  // namespace warpscope::rules
