#include "render/charts/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/charts/curve_thinning.hpp"
#include "render/charts/legend.hpp"

namespace warpscope::charts {

namespace {

constexpr float kTickSpacing = 68;

double height_of(const LinePoint& point) { return point.y > 0 ? point.y : 0; }

std::size_t points_of(const LineChart& chart) {
  std::size_t points = chart.series.empty() ? 0 : chart.series[0].points.size();
  for (const LineSeries& series : chart.series) points = std::min(points, series.points.size());
  return points;
}

/// Returns the sum of all series at point `i`.
double sum_at(const LineChart& chart, std::size_t i) {
  double sum = 0;
  for (const LineSeries& series : chart.series) sum += height_of(series.points[i]);
  return sum;
}

std::pair<double, double> y_range_of(const LineChart& chart) {
  if (chart.y_range) return *chart.y_range;
  if (chart.stacked) {
    double most = 0;
    for (std::size_t i = 0; i < points_of(chart); ++i) most = std::max(most, sum_at(chart, i));
    return {0, most > 0 ? most * 1.05 : 1};
  }
  double low = 0;
  double high = 0;
  for (const LineSeries& series : chart.series)
    for (const LinePoint& point : series.points) {
      if (std::isnan(point.y)) continue;
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  return {low, high > low ? high * 1.05 : low + 1};
}

void add_series(Drawing& drawing, const LineSeries& series, const Scale& x, const Scale& y, const ChartStyle& style) {
  const std::vector<LinePoint>& points = series.points;
  const float width = std::max(1.0f, 1.5f * style.scale);
  for (std::size_t i = 0; i < points.size();) {
    if (std::isnan(points[i].y)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < points.size() && !std::isnan(points[end].y)) ++end;
    ThinCurve curve = thin_curve(std::span(points).subspan(i, end - i), series.steps, x, y);
    // With steps, the last value holds until the start of the gap.
    if (series.steps && end < points.size())
      if (const float until = std::round(x.px(points[end].x)); until > curve.line.back().x)
        curve.line.push_back({until, curve.line.back().y});
    const float dot = style.px(2);
    for (const auto& [top, bottom] : curve.spikes) drawing.line({top, bottom}, series.color, width);
    if (curve.line.size() > 1) {
      drawing.line(std::move(curve.line), series.color, width);
    } else if (curve.spikes.empty()) {
      const Point at = curve.line.front();
      drawing.fill({at.x - dot, at.y - dot, at.x + dot, at.y + dot}, series.color, dot);
    }
    i = end;
  }
}

/// Adds boxes with whole-pixel edges; consecutive columns without a change share a box.
void add_areas(Drawing& drawing, const LineChart& chart, const Scale& x, const Scale& y) {
  const std::size_t points = points_of(chart);
  if (points == 0) return;
  const Box plot = drawing.plot;
  std::vector<float> tops;  // tops of the current boxes
  float from = 0;
  const auto close = [&](float to) {
    float bottom = y.px(0);
    for (std::size_t s = 0; s < tops.size(); ++s) {
      if (to > from && bottom > tops[s]) drawing.fill({from, tops[s], to, bottom}, chart.series[s].color);
      bottom = tops[s];
    }
  };
  const auto open = [&](float at, std::size_t point) {
    std::vector<float> now;
    double sum = 0;
    for (const LineSeries& series : chart.series)
      now.push_back(std::clamp(y.px(sum += height_of(series.points[point])), plot.y0, plot.y1));
    if (now == tops) return;
    close(at);
    from = at;
    tops = std::move(now);
  };
  const auto column_of = [&](std::size_t i) {
    return std::clamp(std::floor(x.px(chart.series[0].points[i].x)), plot.x0, plot.x1);
  };
  for (std::size_t i = 0; i < points;) {
    const float column = column_of(i);
    std::size_t most = i > 0 ? i - 1 : i;  // include the value at the start of the column
    for (; i < points && column_of(i) == column; ++i)
      if (sum_at(chart, i) >= sum_at(chart, most)) most = i;
    open(column, most);
    const float next = std::min(column + 1, plot.x1);
    if (i == points || column_of(i) > next) open(next, i - 1);  // the last value holds
  }
  close(plot.x1);
}

}  // namespace

Scale time_scale(const LineChart& chart, const Box& plot) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const LineSeries& series : chart.series) {
    if (series.points.empty()) continue;
    low = std::min(low, series.points.front().x);
    high = std::max(high, series.points.back().x);
  }
  if (!std::isfinite(low)) low = 0;
  return {low, low < high ? high : low + 1, plot.x0, plot.x1, false};
}

LineDrawing draw_lines(const LineChart& chart, float width, float height, const ChartStyle& style) {
  LineDrawing result{.drawing = {.width = width, .height = height}, .x = {}, .y = {}};
  Drawing& drawing = result.drawing;
  const auto [y_low, y_high] = y_range_of(chart);
  std::vector<LegendEntry> names;
  for (const LineSeries& series : chart.series) names.push_back({series.name, series.color});
  const float bottom = height - style.small_height - style.px(7);
  result.y = {y_low, y_high, bottom, 0, false};
  const int y_lines = std::max(2, static_cast<int>(height / style.px(56)));
  const std::vector<AxisTick> y_ticks = ticks_of(result.y, y_lines, chart.y_unit);
  const float left = label_width(y_ticks, style);
  const float top = add_heading(drawing, chart.title, names, {chart.title.empty() ? left : 0, 0, width, height}, style);
  drawing.plot = {left, top + style.px(8), std::max(left + 1, width - style.px(2)), bottom};
  result.y.to = drawing.plot.y0;
  result.x = time_scale(chart, drawing.plot);
  add_vertical_axis(drawing, result.y, y_ticks, drawing.plot, style);
  const int x_lines = std::max(2, static_cast<int>(drawing.plot.width() / style.px(kTickSpacing)));
  add_horizontal_axis(drawing, result.x, ticks_of(result.x, x_lines, chart.x_unit), drawing.plot, style);
  if (chart.stacked)
    add_areas(drawing, chart, result.x, result.y);
  else
    for (const LineSeries& series : chart.series) add_series(drawing, series, result.x, result.y, style);
  return result;
}

std::optional<LinePoint> value_at(const LineSeries& series, double x) {
  const std::vector<LinePoint>& points = series.points;
  if (points.empty() || x < points.front().x || x > points.back().x) return std::nullopt;
  const auto after = std::ranges::upper_bound(points, x, {}, &LinePoint::x);
  std::size_t i = after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
  if (!series.steps && i + 1 < points.size() && points[i + 1].x - x < x - points[i].x) ++i;
  if (std::isnan(points[i].y)) return std::nullopt;
  return points[i];
}

}  // namespace warpscope::charts
