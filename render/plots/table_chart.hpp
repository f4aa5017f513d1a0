#pragma once
// Creates charts from tables using the roles of their columns: curves over time, histograms and stacked bars. Also
// provides row names. The functions return nullopt if the table has no rows or lacks the required columns.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

[[nodiscard]] charts::Unit unit_of(const Column& column);
/// Returns the first column of this kind.
[[nodiscard]] std::optional<std::size_t> first_of(const Table& table, ColumnKind kind);
/// Returns the first column of the first of these kinds found in the table.
[[nodiscard]] std::optional<std::size_t> first_of(const Table& table, std::initializer_list<ColumnKind> kinds);

/// Returns `order`, or all rows of the table if it is empty.
[[nodiscard]] std::vector<std::uint32_t> rows_in(const Table& table, std::span<const std::uint32_t> order = {});

/// Returns the value column of curves: `wanted`, or the first share, number, bytes, duration or count column, in this
/// order.
[[nodiscard]] std::optional<std::size_t> curve_column(const Table& table, std::optional<std::size_t> wanted);
/// Creates one curve, labeled by bar_labels(), per set of rows that are equal in all columns before the first time
/// column. `value`: as in curve_column().
[[nodiscard]] std::optional<charts::LineChart> lines_of(const Table& table, std::optional<std::size_t> value,
                                                        scene::Theme theme);
/// Creates stacked areas, one for each of `columns`, over the first time column. Uses only the leading rows that are
/// equal in all columns before it.
[[nodiscard]] std::optional<charts::LineChart> areas_of(const Table& table, std::span<const std::size_t> columns,
                                                        scene::Theme theme);
/// Creates a histogram from a table of bins, marked with the first row of a table of statistics.
[[nodiscard]] std::optional<charts::HistogramChart> histogram_of(const Table& bins, const Table& statistics,
                                                                 scene::Theme theme);

/// Creates one bar, labeled by bar_labels(), for each of `rows`. Its parts come from the columns in `parts`, which must
/// all be of the same kind. Reports the other rows as omitted.
[[nodiscard]] std::optional<charts::StackedBars> bars_of(const Table& table, std::span<const std::uint32_t> rows,
                                                         std::span<const std::size_t> parts, scene::Theme theme);

/// Returns a column's chart title: "Queue length (launches)". Omits the unit if the values include it, as times and
/// bytes do.
[[nodiscard]] std::string measure_of(const Column& column);

/// Returns the numbers of a row with names and units, as tooltip lines.
[[nodiscard]] std::string row_facts(const Table& table, std::size_t row);
/// Returns the name of a row: the value of its first text column.
[[nodiscard]] std::string_view row_name(const Table& table, std::size_t row);

}  // namespace warpscope::plots
