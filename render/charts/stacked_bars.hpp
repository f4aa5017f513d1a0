#pragma once
// What several things are made of: one horizontal bar a thing, its name at the left, its sum at the right, parts one
// after the other. Items of the drawing are row · parts + part.
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
  std::vector<double> values;  ///< one a part; negative and NaN count as zero
  std::string figure;          ///< at the right end: the sum, as text; may be empty
  std::optional<Color> color;  ///< of a bar of one part, in place of the part's
};

struct StackedBars {
  std::vector<BarPart> parts;
  std::vector<BarRow> rows;
  Unit unit = Unit::duration;
  std::string title{};       ///< what is measured, where that is not said elsewhere
  std::size_t left_out = 0;  ///< rows that there are besides
  bool shares = false;       ///< each bar as long as the others, its parts as shares of its sum
};

/// Rows that do not fit are counted below the last one, with those left out.
[[nodiscard]] Drawing draw_stacked_bars(const StackedBars& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
