#pragma once
// Draws several curves over a shared time axis, with their names above. A curve with more points than pixels keeps the
// first value, the last value, the minimum and the maximum of each pixel column (curve_thinning.hpp), so no peak or
// return to zero is lost. NaN is a gap. Parts of a whole can be stacked as areas; each pixel column then shows the
// values at the time with the greatest sum.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct LinePoint {
  double x = 0;
  double y = 0;  ///< NaN: unknown from here on
};

struct LineSeries {
  std::string name;
  Color color = 0;
  std::vector<LinePoint> points;  ///< sorted by x
  bool steps = false;             ///< a value holds until the next point (means of windows); otherwise the line slopes
};

struct LineChart {
  std::string title{};  ///< measured quantity, if not shown elsewhere
  std::vector<LineSeries> series;
  Unit x_unit = Unit::duration;
  Unit y_unit = Unit::share;
  std::optional<std::pair<double, double>> y_range;  ///< default: 0 to the maximum
  /// Draws stacked areas, with the first series at the bottom. All series share the same x values, and each value
  /// holds until the next point; negative values and NaN count as 0.
  bool stacked = false;
};

/// A drawing of curves, and the scales that map its pixels to values.
struct LineDrawing {
  Drawing drawing;
  Scale x;
  Scale y;
};

[[nodiscard]] LineDrawing draw_lines(const LineChart& chart, float width, float height, const ChartStyle& style);
[[nodiscard]] inline Drawing draw(const LineChart& chart, float width, float height, const ChartStyle& style) {
  return draw_lines(chart, width, height, style).drawing;
}

/// Maps the times of a chart to px inside `plot`. O(series).
[[nodiscard]] Scale time_scale(const LineChart& chart, const Box& plot);

/// Returns the point of a series at x: with `steps`, the last one at or before x; otherwise the nearest. Returns
/// nullopt beyond the ends, in a gap, or for an empty series. O(log points).
[[nodiscard]] std::optional<LinePoint> value_at(const LineSeries& series, double x);

}  // namespace warpscope::charts
