#pragma once
// A ring chart: parts clockwise from twelve o'clock, the sum in the middle, the legend next to the ring (below it if
// the chart is narrow). Items of the drawing are indices into `parts`.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct PiePart {
  std::string label;
  double value = 0;  ///< negative values count as zero
  Color color = 0;
  std::vector<std::string> figures;  ///< for the legend; right-aligned columns
  bool rest = false;                 ///< sum of many parts; if last, always in the legend
};

struct PieChart {
  std::vector<PiePart> parts;         ///< in drawing order
  std::vector<std::string> headings;  ///< of the legend's columns; may be empty
  std::string total;                  ///< in the ring: "41.2 s"
  std::string total_of;               ///< below it, small: "kernel time"
};

/// Parts with value 0 appear only in the legend. If all are zero, the ring is empty.
[[nodiscard]] Drawing draw_pie(const PieChart& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
