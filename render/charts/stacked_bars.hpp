#pragma once
// Shows the composition of several items: one horizontal bar per item, with its name on the left, its sum on the right
// and its parts side by side. The item index of a bar segment is row × number of parts + part.
#include <optional>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct BarPart {
  std::string name;
  Color color = 0;
};

struct BarRow {
  std::string name;
  std::vector<double> values;  ///< one per part; negative values and NaN count as zero
  std::string figure;          ///< text at the right end: the sum; may be empty
  std::optional<Color> color;  ///< for bars with one part: replaces its color
};

struct StackedBars {
  std::vector<BarPart> parts;
  std::vector<BarRow> rows;
  Unit unit = Unit::duration;
  std::string title{};       ///< measured quantity, if not shown elsewhere
  std::size_t left_out = 0;  ///< number of additional rows that are not passed in
};

/// Shows the number of rows that do not fit, plus `left_out`, below the last row.
[[nodiscard]] Drawing draw(const StackedBars& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
