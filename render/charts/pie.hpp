#pragma once
// Parts of a whole: a ring clockwise from twelve o'clock, its sum in the middle, the parts by name beside it (below it
// where the chart is narrow). Items of the drawing are indices into `parts`.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct PiePart {
  std::string label;
  double value = 0;  ///< negative ones count as zero
  Color color = 0;
  std::vector<std::string> figures;  ///< for the legend; right-aligned columns
  bool rest = false;                 ///< stands for many: the legend tells of it in any case, if it is the last one
};

struct PieChart {
  std::vector<PiePart> parts;         ///< in the order they are drawn
  std::vector<std::string> headings;  ///< of the legend's figures; may be empty
  std::string total;                  ///< in the ring: "41.2 s"
  std::string total_of;               ///< below it, small: "kernel time"
};

/// Parts without value have a line of the legend only. All zero: an empty ring.
[[nodiscard]] Drawing draw_pie(const PieChart& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
