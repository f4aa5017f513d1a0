#pragma once
// Layout shared by charts with named rows (stacked bars, heat maps). Names are on the left and use at most 45 % of the
// width. Rows are as tall as space allows, within limits. The axis is at the bottom.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct RowsLayout {
  Box plot{};
  float row_height = 0;
  std::size_t shown = 0;  ///< rows displayed
  std::size_t total = 0;  ///< including rows without a label
  bool left_out = false;  ///< some rows are not displayed

  /// Returns the strip of a row, without the gap to its neighbors.
  [[nodiscard]] Box row(std::size_t index) const;
  [[nodiscard]] Box bar(std::size_t index, const ChartStyle& style) const;
};

struct RowsRoom {
  /// Minimum row height in grid px; 0: the height of a label.
  float least = 0;
  float most = 32;
  std::size_t left_out = 0;  ///< rows counted but not drawn
};
/// If not all rows fit at the minimum height, the last line shows how many are omitted.
[[nodiscard]] RowsLayout lay_out_rows(const std::vector<std::string>& labels, const Box& box, const ChartStyle& style,
                                      const RowsRoom& wanted = {});
/// Adds the labels of displayed rows, shortened to fit (in the middle if two would otherwise look the same). Drops
/// labels that would overlap vertically. Adds "and 12 more" below if rows are omitted.
void add_row_labels(Drawing& drawing, const std::vector<std::string>& labels, const RowsLayout& rows,
                    const ChartStyle& style);

}  // namespace warpscope::charts
