#pragma once
// Charts that an analysis declares for its tables. They refer to columns by role, so columns can be renamed. Other
// tables get a chart based on their column kinds.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::analysis {

enum class ChartKind : std::uint8_t {
  automatic,  ///< chosen by the kinds and roles of the columns; bars of the values `y`, if given
  none,       ///< no chart, because the table is more useful
  columns,    ///< one bar per row, stacking the columns of `series`
  time_use,   ///< like `columns`, but omits columns that are 0; for a single bar, the legend shows the values
  rows,       ///< one bar per set of rows with the same identifiers, stacking the values `y` by the value of `x`
  areas,      ///< the columns of `series` stacked over time; without series, those of ColumnRole::part
  icicle,     ///< the rows of a tree as boxes whose widths are their totals
  roofline,   ///< one dot per row: rate over intensity, below the rates of a second table
  grid,       ///< one row per rank, one column per value of `x`, colored by the values `y`
  boxes,      ///< one box plot per row of a table with quartiles and whiskers
  pie,        ///< one part per row, named by `x`, of the values `y`; `series` lists shares of other totals
  lines,      ///< one curve per set of rows that are equal in all columns before the time, of the values `y`
};

struct ChartSeries {
  ColumnRole role = ColumnRole::none;
  std::string_view label{};     ///< legend entry; "": the name of the column
  std::string_view detail{};    ///< analysis with more detail; "": none
  std::uint32_t reference = 0;  ///< Column::reference
};

struct ChartSpec {
  std::string_view table{};  ///< id
  ChartKind kind = ChartKind::automatic;
  std::string_view title{};  ///< "": the title of the table
  std::span<const ChartSeries> series{};
  ColumnRole x = ColumnRole::none;
  ColumnRole y = ColumnRole::none;
  std::string_view whole{};  ///< label of a pie's sum or of the only bar of `rows`; "": the columns before x label bars
  std::string_view if_zero{};  ///< shown instead of a chart in which all values are 0; "": the default text
};

}  // namespace warpscope::analysis
