#include "core/analysis/shared/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::analysis {

namespace {

/// Position of a quantile: the fraction `part` of the way from sorted value `index` to `index` + 1.
struct Place {
  std::size_t index = 0;
  double part = 0;
};

Place place_of(std::size_t count, double fraction) {
  const double at = static_cast<double>(count - 1) * std::clamp(fraction, 0.0, 1.0);
  const double floor = std::floor(at);
  return {static_cast<std::size_t>(floor), at - floor};
}

template <class T>
double between(T low, T high, double part) {
  return static_cast<double>(low) + part * (static_cast<double>(high) - static_cast<double>(low));
}

/// Returns a quantile of values. Values before `sorted_from` are the smallest, in any order. May advance `sorted_from`
/// to the position of the quantile.
double select(std::vector<Ns>& values, std::size_t& sorted_from, double fraction) {
  const Place place = place_of(values.size(), fraction);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place.index);
  if (place.index >= sorted_from) {
    std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(sorted_from), at, values.end());
    sorted_from = place.index;
  }
  if (place.part == 0) return static_cast<double>(*at);
  return between(*at, *std::min_element(at + 1, values.end()), place.part);
}

template <class T>
double quantile_of_sorted(std::span<const T> sorted, double fraction) {
  if (sorted.empty()) return 0;
  const Place place = place_of(sorted.size(), fraction);
  if (place.part == 0) return static_cast<double>(sorted[place.index]);
  return between(sorted[place.index], sorted[place.index + 1], place.part);
}

}  // namespace

Statistics statistics(std::vector<Ns>& values) {
  Statistics result;
  result.count = values.size();
  if (values.empty()) return result;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  result.min = *least;
  result.max = *greatest;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const Ns value : values) {
    result.total = saturating_add(result.total, value);
    sum += static_cast<double>(value);
  }
  result.mean = sum / count;
  double squares = 0;
  for (const Ns value : values) {
    const double distance = static_cast<double>(value) - result.mean;
    squares += distance * distance;
  }
  result.stddev = std::sqrt(squares / count);
  std::size_t sorted_from = 0;
  result.median = select(values, sorted_from, 0.5);
  result.p95 = select(values, sorted_from, 0.95);
  result.p99 = select(values, sorted_from, 0.99);
  return result;
}

double quantile(std::span<const Ns> sorted, double fraction) { return quantile_of_sorted(sorted, fraction); }
double quantile(std::span<const double> sorted, double fraction) { return quantile_of_sorted(sorted, fraction); }

}  // namespace warpscope::analysis
