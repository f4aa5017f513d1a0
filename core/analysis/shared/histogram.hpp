#pragma once
// Sorts durations into bins. Edges are whole nanoseconds, so clicking a bin selects exactly as many slices as it
// counts.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

struct HistogramOptions {
  std::uint32_t bins = 0;  ///< 0: depends on the number of values (Rice's rule, 2 · n^(1/3), within 10 to 100)
  Ns width = 0;      ///< width of a bin; edges are then multiples of the width, and `bins` is ignored. 0: use `bins`
  bool log = false;  ///< logarithmic bins: widths grow by a constant factor; `width` must be 0
};

/// Values in [begin, end).
struct HistogramBin {
  Ns begin = 0;
  Ns end = 0;
  std::uint64_t count = 0;

  [[nodiscard]] bool holds(Ns value) const { return begin <= value && value < end; }
  friend bool operator==(const HistogramBin&, const HistogramBin&) = default;
};

inline constexpr std::uint32_t kMostBins = 10'000;

/// Returns adjacent bins from the smallest to the largest value, including empty ones; no bins if there are no values,
/// one bin if all values are equal. With `log`, the first bin includes values below 1 ns. Fails if the width requires
/// more than kMostBins bins, or if `log` is combined with a width. O(n + bins).
[[nodiscard]] Result<std::vector<HistogramBin>> histogram(std::span<const Ns> values,
                                                          const HistogramOptions& options = {});

}  // namespace warpscope::analysis
