#pragma once
// Shows many rows over time as colors: one row per core, GPU or rank. The color scale is on the right. The drawing's
// items are rows; cell_at() also returns the column.
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct HeatMap {
  std::vector<std::string> rows;  ///< names
  std::size_t columns = 0;
  std::vector<double> values;  ///< rows · columns values, row by row; NaN: unknown
  double low = 0;              ///< low end of the color scale
  double high = 1;
  bool square_root = false;  ///< colors follow the square root, so small values stay visible next to large ones
  Unit unit = Unit::share;   ///< unit of `values`
  double x_begin = 0;        ///< start of the first column
  double x_end = 1;          ///< end of the last column
  Unit x_unit = Unit::duration;
  std::vector<std::string> column_names{};  ///< shown instead of the axis; empty: none
  std::string title{};                      ///< measured quantity, if not shown elsewhere
};

/// If there are more columns than pixels, each pixel shows the maximum of its columns, so no peak is lost. If rows
/// would be too thin, they are merged into groups that show the maximum; the item of a group is the row with the
/// maximum.
[[nodiscard]] Drawing draw(const HeatMap& chart, float width, float height, const ChartStyle& style);

/// Returns the cell at `p` as row · columns + column; nullopt outside the cells. `drawing` must be the drawing of this
/// chart.
[[nodiscard]] std::optional<std::uint32_t> cell_at(const HeatMap& chart, const Drawing& drawing, Point p);

}  // namespace warpscope::charts
