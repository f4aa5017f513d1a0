#pragma once
// A ring chart. The parts run clockwise from twelve o'clock, with the sum in the middle and the legend next to the ring
// (below it in narrow charts). The drawing's items are indices into `parts`.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct PiePart {
  std::string label;
  double value = 0;  ///< negative values count as zero
  Color color = 0;
  std::vector<std::string> figures;  ///< for the legend; right-aligned columns
  bool rest = false;                 ///< sum of many parts; if it is the last part, the legend always shows it
};

struct PieChart {
  std::vector<PiePart> parts;         ///< in drawing order
  std::vector<std::string> headings;  ///< of the legend's columns; may be empty
  std::string total;                  ///< in the ring: "41.2 s"
  std::string total_of;               ///< below it, small: "kernel time"
};

/// Parts with value 0 appear only in the legend. If all are zero, the ring is empty.
[[nodiscard]] Drawing draw(const PieChart& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
