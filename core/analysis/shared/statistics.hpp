#pragma once
// Statistics for a set of durations, computed in one place so that chart marks, tables and the report agree.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// Statistics of n values; all are 0 if there are none.
struct Statistics {
  std::uint64_t count = 0;
  Ns total = 0;  ///< saturates
  Ns min = 0;
  Ns max = 0;
  double mean = 0;
  double median = 0;
  double p95 = 0;
  double p99 = 0;
  double stddev = 0;  ///< population standard deviation (divided by n)
};

/// Computes the statistics of `values`, which it sorts. O(n log n).
[[nodiscard]] Statistics statistics(std::vector<Ns>& values);

/// Returns the `fraction` (0 to 1) quantile of sorted values by linear interpolation between the two nearest ranks, h =
/// (n - 1) · fraction (type 7 of Hyndman and Fan 1996, the default of NumPy and R). Returns 0 if there are no values.
[[nodiscard]] double quantile(std::span<const Ns> sorted, double fraction);
[[nodiscard]] double quantile(std::span<const double> sorted, double fraction);

}  // namespace warpscope::analysis
