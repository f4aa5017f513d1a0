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

/// A curve for each set of rows that agree in all that stands before the first column of times. `value`: the column
/// of values; none: the first share, else figure, else bytes, else duration.
[[nodiscard]] std::optional<charts::LineChart> lines_of(const Table& table, std::optional<std::size_t> value,
                                                        scene::Theme theme);
/// Whether two rows agree in all columns before `end`: of a table of curves, whether they are of one.
[[nodiscard]] bool agree_before(const Table& table, std::size_t a, std::size_t b, std::size_t end);
/// What lines_of() draws by itself, as the title of a chart: "Queue length (launches)".
[[nodiscard]] std::string curve_measure(const Table& table);
/// Areas on each other, one for each of `columns`, over the first column of times: of the first rows that agree in all
/// that stands before it.
[[nodiscard]] std::optional<charts::LineChart> areas_of(const Table& table, std::span<const std::size_t> columns,
                                                        scene::Theme theme);
/// The same as a row of colours each; the table has begins and ends.
[[nodiscard]] std::optional<charts::HeatMap> heat_of(const Table& table, std::optional<std::size_t> value);

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

/// A bar for each of `rows`, named as bar_labels() has it, of the columns `parts`, which are of one kind. Those of
/// other rows are counted as left out.
[[nodiscard]] std::optional<charts::StackedBars> bars_of(const Table& table, std::span<const std::uint32_t> rows,
                                                         std::span<const std::size_t> parts, scene::Theme theme);

/// What a column is of, as the title of a chart: "Queue length (launches)". The unit of what has its unit at every
/// figure, as times and bytes do, is not repeated.
[[nodiscard]] std::string measure_of(const Column& column);

/// A row as lines of a tooltip: its figures with their names and units.
[[nodiscard]] std::string row_facts(const Table& table, std::size_t row);
/// The text by which a row is known: its first text.
[[nodiscard]] std::string_view row_name(const Table& table, std::size_t row);

}  // namespace warpscope::plots
