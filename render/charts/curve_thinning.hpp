#pragma once
// A curve of any number of points as the lines that its pixels take. Of each column of pixels it keeps what the curve
// is as it comes in, the least, the most and the last: no peak is lost, and after a fall to nothing the curve lies
// there until it rises, however many points the column has.
#include <span>
#include <utility>
#include <vector>

#include "render/charts/axis.hpp"
#include "render/charts/line_chart.hpp"

namespace warpscope::charts {

struct ThinCurve {
  std::vector<Point> line;  ///< px, from the left to the right
  /// Upright lines beyond those of `line`, top first: what a column has that the curve has left again at its end.
  /// Apart, for a line that turned back on itself would be drawn as a wedge.
  std::vector<std::pair<Point, Point>> spikes;
};

/// `points` are by x, and none is a gap. `steps`: a value holds until the next; the line is then level and upright and
/// stands on whole pixels. Else it slopes, and few points are taken as they are. `y` clamped to its ends. O(points).
[[nodiscard]] ThinCurve thin_curve(std::span<const LinePoint> points, bool steps, const Scale& x, const Scale& y);

}  // namespace warpscope::charts
