#pragma once
// Shows the distributions of several items: one horizontal box per item, spanning the 25th to the 75th percentile and
// divided at the median, with whiskers. The drawing's items are indices into `rows`.
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct BoxRow {
  std::string name;
  double lower = 0;  ///< end of the whisker
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double upper = 0;
};

struct BoxPlot {
  std::vector<BoxRow> rows;
  Unit unit = Unit::share;   ///< for shares, the axis covers at least 0 to 1
  Color below = 0;           ///< from the 25th percentile to the median
  Color above = 0;           ///< from the median to the 75th percentile
  std::string title{};       ///< measured quantity, if not shown elsewhere
  std::size_t left_out = 0;  ///< number of additional rows that are not passed in
};

/// Shows the median of each row on the right. Shows the number of rows that do not fit, plus `left_out`, below the last
/// row.
[[nodiscard]] Drawing draw(const BoxPlot& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
