#pragma once
// Reduces a curve with any number of points to the line segments needed to draw it at pixel resolution. For each pixel
// column, keeps the first value, the minimum, the maximum and the last value. No peak is lost, and after a drop to zero
// the curve stays at zero until it rises, no matter how many points a column has.
#include <span>
#include <utility>
#include <vector>

#include "render/charts/axis.hpp"
#include "render/charts/line_chart.hpp"

namespace warpscope::charts {

struct ThinCurve {
  std::vector<Point> line;  ///< px, left to right
  /// Vertical lines for extremes within a column, each with its top end first. They are separate from `line` because a
  /// line that turns back on itself would be drawn as a wedge.
  std::vector<std::pair<Point, Point>> spikes;
};

/// `points` must be sorted by x and have no gaps. With `steps`, each value holds until the next point, and the line
/// consists of horizontal and vertical segments on whole pixels. Otherwise, sloped lines join the points, and if there
/// are few points, all of them are kept. Values are clamped to the range of `y`. O(points).
[[nodiscard]] ThinCurve thin_curve(std::span<const LinePoint> points, bool steps, const Scale& x, const Scale& y);

}  // namespace warpscope::charts
