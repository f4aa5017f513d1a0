#include "render/charts/curve_thinning.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::charts {
namespace {

/// The part of a curve in one pixel column, as y in px.
struct ColumnOfCurve {
  float first = 0;
  float top = 0;
  float bottom = 0;
  float last = 0;

  void take(float y) {
    top = std::min(top, y);
    bottom = std::max(bottom, y);
    last = y;
  }
};

float clamped(const Scale& y, double value, bool whole) {
  const float at = std::clamp(y.px(value), std::min(y.from, y.to), std::max(y.from, y.to));
  return whole ? std::round(at) : at;
}

void add_to(std::vector<Point>& line, Point p) {
  if (line.empty() || line.back() != p) line.push_back(p);
}

void add_column(ThinCurve& curve, float x, const ColumnOfCurve& column, bool steps) {
  // Skip a step without a change: the line is level up to the next point.
  const bool level = steps && !curve.line.empty() && column.last == curve.line.back().y;
  if (!level) {
    add_to(curve.line, {x, column.first});
    add_to(curve.line, {x, column.last});
  }
  if (column.top < std::min(column.first, column.last) || column.bottom > std::max(column.first, column.last))
    curve.spikes.push_back({{x, column.top}, {x, column.bottom}});
}

}  // namespace

ThinCurve thin_curve(std::span<const LinePoint> points, bool steps, const Scale& x, const Scale& y) {
  ThinCurve curve;
  if (!steps && static_cast<float>(points.size()) <= 2 * std::abs(x.to - x.from)) {
    for (const LinePoint& p : points) curve.line.push_back({x.px(p.x), clamped(y, p.y, false)});
    return curve;
  }
  float column_x = 0;
  for (std::size_t i = 0; i < points.size();) {
    column_x = std::round(x.px(points[i].x));
    const float first = clamped(y, points[i].y, steps);
    // Include the value that held at the start of the column.
    const float held = steps && !curve.line.empty() ? curve.line.back().y : first;
    ColumnOfCurve column{held, held, held, held};
    for (; i < points.size() && std::round(x.px(points[i].x)) == column_x; ++i)
      column.take(clamped(y, points[i].y, steps));
    add_column(curve, column_x, column, steps);
  }
  if (!curve.line.empty() && curve.line.back().x < column_x) add_to(curve.line, {column_x, curve.line.back().y});
  return curve;
}

}  // namespace warpscope::charts
