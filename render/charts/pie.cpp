#include "render/charts/pie.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/charts/legend.hpp"

namespace warpscope::charts {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr float kHole = 0.58f;         // relative to the radius
constexpr float kLeastDiameter = 72;   // minimum legible diameter of a ring, px
constexpr float kMostDiameter = 420;   // maximum useful diameter, px
constexpr double kLargestWedge = 2.0;  // radians; below pi, so that a wedge is convex
constexpr double kOverlap = 2.5;       // overlap in px between wedges of one part, to hide anti-aliased seams

int arc_steps(double radius, double angle) {
  return std::clamp(static_cast<int>(std::ceil(angle * std::sqrt(std::max(1.0, radius)) * 0.9)), 1, 96);
}

void add_wedges(Drawing& drawing, Point centre, float radius, double begin, double end, Color color) {
  const int pieces = std::max(1, static_cast<int>(std::ceil((end - begin) / kLargestWedge)));
  for (int piece = 0; piece < pieces; ++piece) {
    const double from = begin + (end - begin) * piece / pieces;
    const double shared = piece + 1 < pieces ? kOverlap / std::max(1.0, static_cast<double>(radius) * kHole) : 0;
    const double to = begin + (end - begin) * (piece + 1) / pieces + shared;
    Polygon wedge{{centre}, color};
    const int steps = arc_steps(radius, to - from);
    for (int i = 0; i <= steps; ++i) wedge.points.push_back(on_circle(centre, radius, from + (to - from) * i / steps));
    drawing.shapes.emplace_back(std::move(wedge));
  }
}

void add_disc(Drawing& drawing, Point centre, float radius, Color color) {
  Polygon disc{{}, color};
  const int steps = 4 * arc_steps(radius, kTurn / 4);
  for (int i = 0; i < steps; ++i) disc.points.push_back(on_circle(centre, radius, kTurn * i / steps));
  drawing.shapes.emplace_back(std::move(disc));
}

void add_ring(Drawing& drawing, const PieChart& chart, Point centre, float radius, const ChartStyle& style) {
  double sum = 0;
  for (const PiePart& part : chart.parts) sum += std::max(0.0, part.value);
  const float hole = std::round(radius * kHole);
  if (!(sum > 0)) add_disc(drawing, centre, radius, style.colors().line);
  double angle = 0;
  std::vector<double> edges;
  for (std::size_t i = 0; i < chart.parts.size() && sum > 0; ++i) {
    const double share = std::max(0.0, chart.parts[i].value) / sum;
    if (share <= 0) continue;
    const double end = std::min(kTurn, angle + share * kTurn);
    add_wedges(drawing, centre, radius, angle, end, chart.parts[i].color);
    drawing.hits.push_back({static_cast<std::uint32_t>(i), Sector{centre, hole, radius, angle, end}});
    edges.push_back(angle);
    angle = end;
  }
  // Separate neighbors with lines in the background color, except slivers.
  for (std::size_t e = 0; e < edges.size() && edges.size() > 1; ++e) {
    const double next = e + 1 < edges.size() ? edges[e + 1] : kTurn;
    const double before = e > 0 ? edges[e] - edges[e - 1] : kTurn - edges.back();
    const double least = 3.0 * style.px(1) / radius;
    if (next - edges[e] < least && before < least) continue;
    drawing.line({on_circle(centre, hole - 1, edges[e]), on_circle(centre, radius + 1, edges[e])}, style.ground,
                 std::max(1.0f, 1.5f * style.scale));
  }
  add_disc(drawing, centre, hole, style.ground);
  if (chart.total.empty()) return;
  const float room = 2 * hole * 0.86f;
  const TextSize size = style.measure(chart.total, TextSize::large) <= room ? TextSize::large : TextSize::normal;
  const bool two = !chart.total_of.empty() && style.measure(chart.total_of, TextSize::small) <= room &&
                   hole > style.line_height(size) + style.small_height;
  const float height = style.line_height(size) + (two ? style.small_height : 0);
  const float top = std::round(centre.y - height / 2);
  if (style.measure(chart.total, size) > room) return;
  drawing.write({centre.x, top}, chart.total, style.colors().text, size, Align::centre);
  if (two)
    drawing.write({centre.x, top + style.line_height(size)}, chart.total_of, style.colors().muted, TextSize::small,
                  Align::centre);
}

}  // namespace

Drawing draw(const PieChart& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  std::vector<LegendRow> rows;
  for (std::size_t i = 0; i < chart.parts.size(); ++i)
    rows.push_back({chart.parts[i].label, chart.parts[i].color, chart.parts[i].figures, static_cast<std::uint32_t>(i),
                    chart.parts[i].rest});
  const float gap = style.px(16);
  const float legend = legend_width(rows, style, chart.headings);
  const float legend_height =
      legend_row_height(style) * static_cast<float>(rows.size() + (chart.headings.empty() ? 0 : 1));
  const float edge = style.px(2);
  const bool beside = width - gap - legend >= std::min(height, style.px(140)) || width > 1.25f * height;
  float diameter = 0;
  Box list{};
  if (beside) {
    diameter = std::min({height - 2 * edge, width * 0.37f, style.px(kMostDiameter)});
    diameter =
        std::max(diameter, std::min({height - 2 * edge, width - gap - legend - 3 * edge, style.px(kMostDiameter)}));
    const float left = 2 * edge + diameter + gap;
    const float content = std::min(width, left + legend);
    list = {left, std::max(0.0f, std::floor((height - legend_height) / 2)), content, height};
  } else {
    diameter = std::min({width - 2 * edge, height - gap - legend_height, style.px(kMostDiameter)});
    diameter = std::max(diameter, std::min({width - 2 * edge, style.px(kLeastDiameter) * 1.5f, height}));
    list = {edge, diameter + 2 * edge + gap / 2, width - edge, height};
  }
  if (diameter >= style.px(kLeastDiameter) / 2) {
    const float radius = std::floor(diameter / 2);
    const Point centre{beside ? edge + radius : std::round(width / 2), beside ? std::round(height / 2) : edge + radius};
    drawing.plot = {centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius};
    add_ring(drawing, chart, centre, radius, style);
  }
  add_legend(drawing, rows, list, style, chart.headings);
  return drawing;
}

}  // namespace warpscope::charts
