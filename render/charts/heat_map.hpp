#pragma once
// Many rows over time as colours: each core, each GPU, each rank. The scale of colours stands at the right. Items of
// the drawing are rows; cell_at() knows the column too.
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct HeatMap {
  std::vector<std::string> rows;  ///< names
  std::size_t columns = 0;
  std::vector<double> values;  ///< rows · columns, row by row; NaN: not known
  double low = 0;              ///< of the colours
  double high = 1;
  Unit unit = Unit::share;  ///< of the values
  double x_begin = 0;       ///< begin of the first column
  double x_end = 1;         ///< end of the last
  Unit x_unit = Unit::duration;
};

/// Where there are more columns than pixels, a pixel shows the greatest of its values: a peak is not lost.
[[nodiscard]] Drawing draw_heat_map(const HeatMap& chart, float width, float height, const ChartStyle& style);

/// The cell at `p` as row · columns + column; nothing beside the cells. `drawing`: of this chart.
[[nodiscard]] std::optional<std::uint32_t> cell_at(const HeatMap& chart, const Drawing& drawing, Point p);

}  // namespace warpscope::charts
