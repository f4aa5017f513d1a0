#pragma once
// Icicle: a tree of calls as boxes, callers above the calls below them. The width of a box is its share of the whole;
// what its children do not cover is its own. A flame graph is the same picture upside down.
#include <cstdint>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct IcicleNode {
  std::string name;
  std::uint32_t depth = 0;
  double value = 0;  ///< with everything below it
  Color color = 0;
};

struct Icicle {
  std::string title{};
  std::vector<IcicleNode> nodes;  ///< depth first
  Unit unit = Unit::duration;
};

/// Items are indices of nodes. Boxes narrower than half a pixel and levels that do not fit are left out.
[[nodiscard]] Drawing draw_icicle(const Icicle& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
