#pragma once
// Several curves over one axis of time, with their names above. A curve of more points than pixels is drawn by what it
// is as a pixel column begins and ends, and the least and the most in it (curve_thinning.hpp), so that no peak and no
// return to nothing is lost; a point that is not a number is a gap. Curves of
// parts of a whole may stand on each other as areas, of each pixel column as they are where they are most together.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct LinePoint {
  double x = 0;
  double y = 0;  ///< NaN: nothing is known from here on
};

struct LineSeries {
  std::string name;
  Color color = 0;
  std::vector<LinePoint> points;  ///< by x
  bool steps = false;             ///< a value holds until the next point (means of windows) instead of sloping to it
};

struct LineChart {
  std::string title{};  ///< what is measured, where that is not said elsewhere
  std::vector<LineSeries> series;
  Unit x_unit = Unit::duration;
  Unit y_unit = Unit::share;
  std::optional<std::pair<double, double>> x_range;  ///< else what the points span
  std::optional<std::pair<double, double>> y_range;  ///< else from 0 to the greatest value
  /// Areas on each other, the first one at the bottom. All series have points at the same x, whose values hold until
  /// the next; what is less than 0 or no number counts as 0.
  bool stacked = false;
};

/// The drawing, and its scales for whoever asks what is at a pixel.
struct LineDrawing {
  Drawing drawing;
  Scale x;
  Scale y;
};

[[nodiscard]] LineDrawing draw_lines(const LineChart& chart, float width, float height, const ChartStyle& style);

/// What a series is at x: with `steps` its last point at or before it, else the nearest; nothing beyond its ends, in a
/// gap or in an empty series. O(log points).
[[nodiscard]] std::optional<LinePoint> value_at(const LineSeries& series, double x);

}  // namespace warpscope::charts
