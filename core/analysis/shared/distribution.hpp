#pragma once
// Tables for a duration distribution: its bins and the statistics drawn over them. Used by every histogram panel.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/base/table.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

// Sorts durations into bins. Edges are whole nanoseconds, so clicking a bin selects exactly as many slices as it
// counts.

/// Values in [begin, end).
struct HistogramBin {
  Ns begin = 0;
  Ns end = 0;
  std::uint64_t count = 0;

  [[nodiscard]] bool holds(Ns value) const { return begin <= value && value < end; }
  friend bool operator==(const HistogramBin&, const HistogramBin&) = default;
};

inline constexpr std::uint32_t kMostBins = 10'000;

/// Returns adjacent bins of equal width from the smallest to the largest value, including empty ones; no bins if there
/// are no values, one bin if all values are equal. `most_bins` 0: depends on the number of values (Rice's rule, 2 ·
/// n^(1/3), within 10 to 100). O(n + bins).
[[nodiscard]] std::vector<HistogramBin> histogram(std::span<const Ns> values, std::uint32_t most_bins = 0);

/// Parameter of histograms; histogram_bins() returns its value, 0 for auto.
inline constexpr Parameter kBinsParameter = integer_parameter(
    "bins", "number of bins; auto depends on the number of values", Parameter::kAutomatic, 1, kMostBins);
[[nodiscard]] std::uint32_t histogram_bins(const ParameterValues& values);

/// Returns the bins of histogram() in columns "bin begin" (shown as "bin start"), "bin end" and "count".
[[nodiscard]] Table histogram_table(std::string id, std::string title, std::span<const Ns> values,
                                    std::uint32_t most_bins = 0);

/// Minimum number of values for a 99th percentile. With fewer values, it would be close to the maximum.
inline constexpr std::uint64_t kLeastForP99 = 100;

/// Appends the columns "count", "mean", "median", "p95", "p99", "max" and "stddev"; append_statistics_cells() appends
/// the matching cells.
void append_statistics_columns(std::vector<Column>& columns);
void append_statistics_cells(std::vector<Cell>& cells, const Statistics& statistics);

/// Returns a table with one row of these statistics, or no rows if there are no values.
[[nodiscard]] Table statistics_table(std::string title, std::vector<Ns> values);

}  // namespace warpscope::analysis
