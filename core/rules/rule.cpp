#include "core/rules/rule.hpp"

#include <algorithm>

namespace warpscope::rules {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::issues_found:
      return "issues found";
    case Verdict::no_issues:
      return "no issues";
    case Verdict::not_evaluable:
      return "not evaluable";
    case Verdict::insufficient_data:
      return "insufficient data";
  }
  return "";
}

void keep_longest(std::vector<Place>& places) {
  std::ranges::stable_sort(places, std::greater(),
                           [](const Place& place) { return place.weight.value_or(place.time.length()); });
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
}

}  // namespace warpscope::rules
