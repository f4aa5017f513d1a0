#include "core/analysis/shared/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::analysis {

namespace {

template <class T>
double quantile_of_sorted(std::span<const T> sorted, double fraction) {
  if (sorted.empty()) return 0;
  const double at = static_cast<double>(sorted.size() - 1) * std::clamp(fraction, 0.0, 1.0);
  const auto index = static_cast<std::size_t>(at);
  const double part = at - std::floor(at);
  const auto low = static_cast<double>(sorted[index]);
  return part == 0 ? low : low + part * (static_cast<double>(sorted[index + 1]) - low);
}

}  // namespace

Statistics statistics(std::vector<Ns>& values) {
  Statistics result;
  result.count = values.size();
  if (values.empty()) return result;
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
  std::ranges::sort(values);
  result.min = values.front();
  result.max = values.back();
  result.median = quantile(values, 0.5);
  result.p95 = quantile(values, 0.95);
  result.p99 = quantile(values, 0.99);
  return result;
}

double quantile(std::span<const Ns> sorted, double fraction) { return quantile_of_sorted(sorted, fraction); }
double quantile(std::span<const double> sorted, double fraction) { return quantile_of_sorted(sorted, fraction); }

}  // namespace warpscope::analysis
