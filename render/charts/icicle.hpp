#pragma once
// An icicle chart: a call tree drawn as boxes, with callers above their callees. The width of a box is proportional to
// its value; the part not covered by children is self time. A flame graph is the same picture upside down. A zoomed-in
// box fills the width and is drawn below its nearest callers.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct IcicleNode {
  std::string name;
  std::uint32_t depth = 0;
  double value = 0;  ///< includes everything below it
  Color color = 0;
  bool dim = false;  ///< does not match the search
};

struct Icicle {
  std::string title{};
  std::vector<IcicleNode> nodes;  ///< depth first
  Unit unit = Unit::duration;
  std::optional<std::uint32_t> root{};  ///< the zoomed-in box
};

inline constexpr std::uint32_t kCallersShown = 3;  ///< callers shown above the zoomed-in box

/// Items are indices into `nodes`. Boxes narrower than half a pixel and levels that do not fit are omitted.
[[nodiscard]] Drawing draw(const Icicle& chart, float width, float height, const ChartStyle& style);

/// Returns the height needed to show all levels, in px at 1×.
[[nodiscard]] float height_of(const Icicle& chart);

}  // namespace warpscope::charts
