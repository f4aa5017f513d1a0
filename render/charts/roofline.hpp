#pragma once
// Roofline: how fast problems run over how much they compute per byte, both logarithmic. The roof is what a GPU allows:
// a slope for its memory, a level for its arithmetic. A dot far below the roof wastes time; its area is its time.
// Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model" (2009).
#include <cstdint>
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct RooflineDot {
  std::string name;
  double intensity = 0;  ///< FLOP per byte; dots without arithmetic are not drawn
  double rate = 0;       ///< TFLOP/s
  double time = 0;       ///< any unit
  Color color = 0;
};

struct Roof {
  std::string name;    ///< "bf16: 989 TFLOP/s"
  double memory = 0;   ///< TB/s
  double compute = 0;  ///< TFLOP/s
};

struct Roofline {
  std::string title{};
  std::vector<RooflineDot> dots;
  std::vector<Roof> roofs;
  Color by_memory = 0;   ///< of dots that memory bounds, for the legend
  Color by_compute = 0;  ///< of dots that arithmetic bounds
};

/// Items are indices of dots. Dots with more time are drawn first, so that small ones stay visible; the longest
/// have their names beside them where there is room.
[[nodiscard]] Drawing draw_roofline(const Roofline& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
