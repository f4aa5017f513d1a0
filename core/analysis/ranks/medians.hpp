#pragma once
// Medians over ranks, which are robust to a single outlier.
#include <algorithm>
#include <vector>

namespace warpscope::analysis {

/// Returns the median; for an even number of values, the upper of the two middle values. Requires at least one value
/// and reorders the values. O(n).
template <class T>
[[nodiscard]] T upper_median(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Returns the median; for an even number of values, the mean of the two middle values. Requires at least one value and
/// reorders the values. O(n).
template <class T>
[[nodiscard]] T median_of(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  const T below = *std::ranges::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace warpscope::analysis
