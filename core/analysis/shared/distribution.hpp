#pragma once
// Tables for a duration distribution: its bins and the statistics drawn over them. Used by every histogram panel.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/analysis/shared/histogram.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Parameters "bins", "width" and "log" of distribution_tables().
inline constexpr Parameter kBinsParameter = integer_parameter(
    "bins", "number of bins; auto depends on the number of values", Parameter::kAutomatic, 1, kMostBins);
inline constexpr Parameter kWidthParameter =
    duration_parameter("width", "width of a bin, instead of the number of bins", Parameter::kAutomatic, 1);
inline constexpr Parameter kLogParameter = flag_parameter("log", "logarithmic bins");

[[nodiscard]] HistogramOptions histogram_options(const ParameterValues& values);

/// Returns the bins of histogram() in columns "bin begin" (shown as "bin start"), "bin end" and "count".
[[nodiscard]] Result<Table> histogram_table(std::string id, std::string title, std::span<const Ns> values,
                                            const HistogramOptions& options);

/// Minimum number of values for a 99th percentile. With fewer values, it would be close to the maximum.
inline constexpr std::uint64_t kLeastForP99 = 100;

/// Appends the columns "count", "mean", "median", "p95", "p99", "max" and "stddev"; append_statistics_cells() appends
/// the matching cells.
void append_statistics_columns(std::vector<Column>& columns);
void append_statistics_cells(std::vector<Cell>& cells, const Statistics& statistics);

/// Returns a table with one row of these statistics, or no rows if there are no values.
[[nodiscard]] Table statistics_table(std::string title, std::vector<Ns> values);

}  // namespace warpscope::analysis
