#pragma once
// Medians over ranks: robust against the one rank that differs.
#include <algorithm>
#include <vector>

namespace warpscope::analysis {

/// The value in the middle of at least one; the upper of two. Reorders them. O(n).
template <class T>
[[nodiscard]] T upper_median(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Returns the median of at least one value; the mean of the middle two if their number is even. Reorders the values.
/// O(n).
template <class T>
[[nodiscard]] T median_of(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  const T below = *std::ranges::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace warpscope::analysis
