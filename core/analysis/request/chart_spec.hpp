#pragma once
// Charts that an analysis declares for its tables. Columns are given by role, so that they can be renamed. Tables
// without a declaration get the chart that follows from the kinds of their columns.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::analysis {

enum class ChartKind : std::uint8_t {
  automatic,  ///< follows from the kinds and roles of the columns
  none,       ///< the table says more than a chart
  columns,    ///< a bar for each row, with the columns of `series` stacked
  time_use,   ///< the same without columns that are 0; a single bar has its figures in the legend
  rows,   ///< a bar for each set of rows with the same identifiers, with their values `y` stacked by the texts of `x`
  areas,  ///< the columns of `series` stacked over time; without series, those of ColumnRole::part
  counters,  ///< a bar for each kernel, with the counters of the most frequent kind stacked
};

struct ChartSeries {
  ColumnRole role = ColumnRole::none;
  std::string_view label{};   ///< in the legend; "": the name of the column
  std::string_view detail{};  ///< the analysis that shows more; "": none
};

struct ChartSpec {
  std::string_view table;  ///< id
  ChartKind kind = ChartKind::automatic;
  std::string_view title{};  ///< "": the title of the table
  std::span<const ChartSeries> series{};
  ColumnRole x = ColumnRole::none;
  ColumnRole y = ColumnRole::none;
  std::string_view whole{};    ///< the name of the only bar of `rows`; "": bars are named by the columns before x
  std::string_view if_zero{};  ///< replaces a chart in which all values are 0; "": the default text
};

}  // namespace warpscope::analysis
