#pragma once
// From a table to a chart, by what its columns are: curves over time, histograms, bars of parts; and what a row of it
// is called there. Pure; the dashboard's panels and the Analysis page draw what comes back. Each is nothing if the
// table has not what it takes, or no rows.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

[[nodiscard]] charts::Unit unit_of(const Column& column);
/// The first column of that kind.
[[nodiscard]] std::optional<std::size_t> first_of(const Table& table, ColumnKind kind);

/// A curve for each set of rows that agree in all that stands before the first column of times. `value`: name of the
/// column of values; "": the first share, else figure, else bytes, else duration.
[[nodiscard]] std::optional<charts::LineChart> lines_of(const Table& table, std::string_view value, scene::Theme theme);
/// Areas on each other, one for each of `columns`, over the first column of times: of the first rows that agree in all
/// that stands before it.
[[nodiscard]] std::optional<charts::LineChart> areas_of(const Table& table, std::span<const std::size_t> columns,
                                                        scene::Theme theme);
/// The same as a row of colours each; the table has begins and ends.
[[nodiscard]] std::optional<charts::HeatMap> heat_of(const Table& table, std::string_view value);

struct HistogramLook {
  bool log_x = false;
  bool log_y = false;
};
/// Of the first table that has bins, with the statistics of the first that has a median.
struct HistogramOf {
  charts::HistogramChart chart;
  std::size_t table = 0;  ///< that the bins are of
};
[[nodiscard]] std::optional<HistogramOf> histogram_of(const std::vector<Table>& tables, HistogramLook look,
                                                      scene::Theme theme);

/// A bar for each row, named by `names` (texts as they are, numbers behind their column: "rank 3"), of the columns
/// `parts`, which are of one kind. `shares`: all bars equally long.
[[nodiscard]] std::optional<charts::StackedBars> bars_of(const Table& table, std::span<const std::size_t> names,
                                                         std::span<const std::size_t> parts, bool shares,
                                                         scene::Theme theme);

/// A row as lines of a tooltip: its figures with their names and units.
[[nodiscard]] std::string row_facts(const Table& table, std::size_t row);
/// The text by which a row is known: its first text.
[[nodiscard]] std::string_view row_name(const Table& table, std::size_t row);

}  // namespace warpscope::plots
