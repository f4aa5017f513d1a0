#pragma once
// A set of durations as the tables that every histogram panel shows: the bins, and the figures drawn over them.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/analysis/shared/histogram.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// "bins", "width" and "log", which distribution_tables() looks at.
inline constexpr Parameter kBinsParameter{.name = "bins",
                                          .about = "number of bins; auto depends on the number of values",
                                          .kind = ParameterKind::integer,
                                          .preset = Parameter::kAutomatic,
                                          .least = 1,
                                          .most = kMostBins};
inline constexpr Parameter kWidthParameter{.name = "width",
                                           .about = "width of a bin, instead of the number of bins",
                                           .kind = ParameterKind::duration,
                                           .preset = Parameter::kAutomatic,
                                           .least = 1};
inline constexpr Parameter kLogParameter{
    .name = "log", .about = "logarithmic bins", .kind = ParameterKind::flag, .preset = "false"};

[[nodiscard]] HistogramOptions histogram_options(const ParameterValues& values);

/// "bin begin", "bin end", "count": as histogram() has them.
[[nodiscard]] Result<Table> histogram_table(std::string id, std::string title, std::span<const Ns> values,
                                            const HistogramOptions& options);

/// Of fewer values the 99th percentile is missing: it would be their maximum, or close to it.
inline constexpr std::uint64_t kLeastForP99 = 100;

/// Columns "count", "mean", "median", "p95", "p99", "max", "stddev" after those given, and the cells of a row.
void append_statistics_columns(std::vector<Column>& columns);
void append_statistics_cells(std::vector<Cell>& cells, const Statistics& statistics);

/// One row of these figures; none if there are no values.
[[nodiscard]] Table statistics_table(std::string title, std::vector<Ns> values);

}  // namespace warpscope::analysis
