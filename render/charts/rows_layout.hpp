#pragma once
// What charts of named rows share (stacked bars, box plots, heat maps): names at the left, cut where they would take
// more than 45 % of the width, rows as high as there is room for within limits, an axis below.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct RowsLayout {
  Box plot{};
  float row_height = 0;
  std::size_t shown = 0;  ///< rows that fit
  std::size_t total = 0;  ///< with those that no label is of
  bool left_out = false;  ///< there are any

  /// The strip of a row, with its share of the gap taken off.
  [[nodiscard]] Box row(std::size_t index) const;
  [[nodiscard]] Box bar(std::size_t index, const ChartStyle& style) const;
};

struct RowsRoom {
  /// Height of a row, grid px; 0: what a label takes.
  float least = 0;
  float most = 32;
  std::size_t left_out = 0;  ///< rows that are only counted
};
/// If not all rows fit at the least height, the last line counts the others.
[[nodiscard]] RowsLayout lay_out_rows(const std::vector<std::string>& labels, const Box& box, const ChartStyle& style,
                                      const RowsRoom& wanted = {});
/// Labels of the rows shown, cut where they do not fit, in the middle if else two would be alike; only as many as have
/// room above each other. "and 12 more" below rows that are left out.
void add_row_labels(Drawing& drawing, const std::vector<std::string>& labels, const RowsLayout& rows,
                    const ChartStyle& style);

}  // namespace warpscope::charts
