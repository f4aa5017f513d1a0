#pragma once
// Roofline: performance versus arithmetic intensity (FLOP per byte), both logarithmic. The roof is the GPU's limit: a
// slope for its memory bandwidth, and a plateau for its compute rate. Dots far below the roof are operations that waste
// time; the area of a dot shows the operation's time. Source: Williams, Waterman, Patterson, "Roofline: an insightful
// visual performance model" (2009).
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
  Color by_memory = 0;   ///< of memory-bound dots, for the legend
  Color by_compute = 0;  ///< of compute-bound dots
};

/// Items are indices into `dots`. Larger dots are drawn first so that smaller dots stay visible. The largest dots are
/// labeled if there is room.
[[nodiscard]] Drawing draw(const Roofline& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
