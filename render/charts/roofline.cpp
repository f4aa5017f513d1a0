#include "render/charts/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "render/charts/axis.hpp"
#include "render/charts/legend.hpp"

namespace warpscope::charts {

namespace {

constexpr std::size_t kNamedDots = 6;
constexpr int kCorners = 20;
constexpr float kLargestRadius = 22;
constexpr float kSmallestRadius = 2.5f;
constexpr double kDecadesBelow = 4;  // of rates below the highest roof

struct Limits {
  double low_x = 0.01, high_x = 1000, low_y = 0.01, high_y = 100;
};

bool is_drawn(const RooflineDot& dot) { return dot.intensity > 0 && dot.rate > 0; }

double decade_below(double value) { return std::pow(10, std::floor(std::log10(value))); }
double decade_above(double value) { return std::pow(10, std::ceil(std::log10(value))); }

Limits limits_of(const Roofline& chart) {
  double low_x = 1;
  double high_x = 10;
  double low_y = 1e300;
  double high_y = 0;
  for (const RooflineDot& dot : chart.dots) {
    if (!is_drawn(dot)) continue;
    low_x = std::min(low_x, dot.intensity);
    high_x = std::max(high_x, dot.intensity);
    low_y = std::min(low_y, dot.rate);
    high_y = std::max(high_y, dot.rate);
  }
  for (const Roof& roof : chart.roofs) {
    high_y = std::max(high_y, roof.compute);
    if (roof.memory > 0) high_x = std::max(high_x, 2 * roof.compute / roof.memory);
  }
  if (high_y <= 0) return {};
  // Tiny problems far below the roof would squeeze all others, so they are drawn at the edge.
  low_y = std::max(std::min(low_y, high_y), high_y / std::pow(10, kDecadesBelow));
  return {decade_below(low_x), decade_above(high_x * 1.01), decade_below(low_y), decade_above(high_y * 1.01)};
}

Polygon disc(Point centre, float radius, Color color) {
  Polygon polygon{{}, color};
  for (int i = 0; i < kCorners; ++i)
    polygon.points.push_back(on_circle(centre, radius, 2 * std::numbers::pi * i / kCorners));
  return polygon;
}

void add_roof(Drawing& drawing, const Roof& roof, const Scale& x, const Scale& y, const ChartStyle& style) {
  if (roof.memory <= 0 || roof.compute <= 0) return;
  const double ridge = roof.compute / roof.memory;
  const double start = std::max(x.low, y.low / roof.memory);
  std::vector<Point> points;
  if (start < ridge) points.push_back({x.px(start), y.px(start * roof.memory)});
  points.push_back({x.px(std::max(x.low, ridge)), y.px(roof.compute)});
  points.push_back({x.px(x.high), y.px(roof.compute)});
  drawing.line(std::move(points), style.colors().text, std::max(1.0f, style.px(1.5f)));
  drawing.write({x.px(x.high) - style.px(4), y.px(roof.compute) - style.small_height - style.px(2)}, roof.name,
                style.colors().muted, TextSize::small, Align::right);
}

}  // namespace

Drawing draw(const Roofline& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  const Limits limits = limits_of(chart);
  const float bottom = height - style.small_height - style.px(8);
  if (bottom < 3 * style.small_height) return drawing;
  const std::vector<LegendEntry> legend{{"memory-bound", chart.by_memory}, {"compute-bound", chart.by_compute}};
  const float top = chart.title.empty() ? style.small_height
                                        : add_heading(drawing, chart.title, legend, {0, 0, width, height}, style) +
                                              style.small_height + style.px(4);
  if (bottom < top + 2 * style.small_height) return {.width = width, .height = height};
  Scale y{limits.low_y, limits.high_y, bottom, top, true};
  const auto y_ticks = ticks_of(y, std::max(2, static_cast<int>(bottom / style.px(32))), Unit::number);
  drawing.plot = {label_width(y_ticks, style), top, width - style.px(8), bottom};
  const Scale x{limits.low_x, limits.high_x, drawing.plot.x0, drawing.plot.x1, true};
  add_vertical_axis(drawing, y, y_ticks, drawing.plot, style);
  add_horizontal_axis(drawing, x,
                      ticks_of(x, std::max(2, static_cast<int>(drawing.plot.width() / style.px(72))), Unit::number),
                      drawing.plot, style, true);
  for (const Roof& roof : chart.roofs) add_roof(drawing, roof, x, y, style);

  std::vector<std::uint32_t> order(chart.dots.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t i) { return !is_drawn(chart.dots[i]); });
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) { return chart.dots[i].time; });
  if (order.empty()) return drawing;
  const double longest = std::max(1.0, chart.dots[order.front()].time);
  std::vector<Box> names;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const RooflineDot& dot = chart.dots[order[n]];
    const Point centre{x.px(dot.intensity), std::clamp(y.px(dot.rate), drawing.plot.y0, drawing.plot.y1)};
    const float radius =
        style.px(std::max(kSmallestRadius, kLargestRadius * static_cast<float>(std::sqrt(dot.time / longest))));
    drawing.shapes.emplace_back(disc(centre, radius, scene::with_alpha(dot.color, 0.6f)));
    drawing.line(disc(centre, radius, 0).points, dot.color, std::max(1.0f, style.px(1)), 0, true);
    drawing.hits.push_back({order[n], Sector{centre, 0, radius, 0, 2 * std::numbers::pi}});
    if (n >= kNamedDots) continue;
    const std::string label = fit_label(dot.name, style.px(180), TextSize::small, style);
    const float label_width = style.measure(label, TextSize::small);
    const float left = centre.x + radius + style.px(4) + label_width <= drawing.plot.x1
                           ? centre.x + radius + style.px(4)
                           : centre.x - radius - style.px(4) - label_width;
    const Box box{left, centre.y - style.small_height / 2, left + label_width, centre.y + style.small_height / 2};
    if (box.x0 < drawing.plot.x0 || std::ranges::any_of(names, [&](const Box& other) { return other.overlaps(box); }))
      continue;
    names.push_back(box);
    drawing.write({box.x0, box.y0}, label, style.colors().text);
  }
  return drawing;
}

}  // namespace warpscope::charts
