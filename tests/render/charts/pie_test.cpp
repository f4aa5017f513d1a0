#include "render/charts/pie.hpp"

#include <cmath>

#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using namespace warpscope::test;

PieChart pie_of(std::vector<double> values) {
  PieChart chart{{}, {}, "41.2 s", "kernel time"};
  for (std::size_t i = 0; i < values.size(); ++i)
    chart.parts.push_back(
        {"part number " + std::to_string(i),
         values[i],
         scene::slice_color(trace::Family::computation, static_cast<std::uint32_t>(i), scene::Theme::dark),
         {"1.23 s", "12.3 %"}});
  return chart;
}

/// Returns an item's sector.
Sector sector_of(const Drawing& drawing, std::uint32_t item) {
  for (const HitRegion& region : drawing.hits)
    if (region.item == item)
      if (const auto* sector = std::get_if<Sector>(&region.where)) return *sector;
  return {};
}

double area_of(const std::vector<Polygon>& polygons, Color color) {
  double area = 0;
  for (const Polygon& polygon : polygons) {
    if (polygon.color != color) continue;
    double twice = 0;
    for (std::size_t i = 0; i < polygon.points.size(); ++i) {
      const Point a = polygon.points[i];
      const Point b = polygon.points[(i + 1) % polygon.points.size()];
      twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
    }
    area += std::abs(twice) / 2;
  }
  return area;
}

TEST_CASE("a pie's sectors match the shares of the values and fill the ring", "[charts][pie]") {
  const PieChart chart = pie_of({60, 25, 10, 5});
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 640, 300, style);
  check_sound(drawing, style);
  double angle = 0;
  const double turn = 2 * std::acos(-1.0);
  const std::vector<Polygon> polygons = shapes_of<Polygon>(drawing);
  const double radius = drawing.plot.width() / 2;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Sector sector = sector_of(drawing, i);
    CHECK(sector.begin == Approx(angle));
    CHECK((sector.end - sector.begin) / turn == Approx(chart.parts[i].value / 100));
    CHECK(area_of(polygons, chart.parts[i].color) ==
          Approx(chart.parts[i].value / 100 * turn / 2 * radius * radius).epsilon(0.02));
    angle = sector.end;
  }
  CHECK(angle == Approx(turn));
  CHECK(has_text(drawing, "41.2 s"));
  CHECK(has_text(drawing, "kernel time"));
}

TEST_CASE("every wedge is convex", "[charts][pie]") {
  const Drawing drawing = draw(pie_of({97, 2, 1}), 640, 300, plain_style());
  for (const Polygon& polygon : shapes_of<Polygon>(drawing)) {
    int left = 0, right = 0;
    const std::size_t n = polygon.points.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Point a = polygon.points[i], b = polygon.points[(i + 1) % n], c = polygon.points[(i + 2) % n];
      const double cross = static_cast<double>(b.x - a.x) * (c.y - b.y) - static_cast<double>(b.y - a.y) * (c.x - b.x);
      if (cross > 0.5) ++left;
      if (cross < -0.5) ++right;
    }
    CHECK((left == 0 || right == 0));
  }
}

TEST_CASE("a part can be hit on the ring and on its legend entry", "[charts][pie]") {
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(pie_of({50, 50}), 640, 300, style);
  const Point centre{(drawing.plot.x0 + drawing.plot.x1) / 2, (drawing.plot.y0 + drawing.plot.y1) / 2};
  const float r = drawing.plot.width() * 0.4f;
  CHECK(drawing.hit({centre.x + r, centre.y}) == 0u);
  CHECK(drawing.hit({centre.x - r, centre.y}) == 1u);
  CHECK_FALSE(drawing.hit(centre).has_value());
  for (const Text& text : shapes_of<Text>(drawing))
    if (text.text == "part number 1") CHECK(drawing.hit({text.at.x + 2, text.at.y + 5}) == 1u);
}

TEST_CASE("a pie's legend never overlaps the ring, at any size", "[charts][pie]") {
  std::vector<double> many;
  for (int i = 16; i > 0; --i) many.push_back(i);
  const ChartStyle style = plain_style();
  for (const float width : {160.0f, 240.0f, 330.0f, 420.0f, 640.0f, 1400.0f})
    for (const float height : {120.0f, 200.0f, 300.0f, 600.0f}) {
      INFO(width << " x " << height);
      const Drawing drawing = draw(pie_of(many), width, height, style);
      check_sound(drawing, style);
      for (const HitRegion& region : drawing.hits)
        if (const auto* row = std::get_if<Box>(&region.where)) CHECK_FALSE(row->overlaps(drawing.plot));
    }
}

TEST_CASE("number column headings are above the columns and take one row", "[charts][pie]") {
  PieChart chart = pie_of(std::vector<double>(4, 1));
  chart.headings = {"time", "of kernels"};
  const ChartStyle style = plain_style();
  for (const float height : {60.0f, 120.0f, 300.0f}) check_sound(draw(chart, 640, height, style), style);
  const Drawing drawing = draw(chart, 640, 300, style);
  CHECK(has_text(drawing, "of kernels"));
  CHECK(has_text(drawing, "part number 3"));
}

TEST_CASE("legend rows that do not fit are counted", "[charts][pie]") {
  const Drawing drawing = draw(pie_of(std::vector<double>(16, 1)), 640, 120, plain_style());
  CHECK(has_text(drawing, "and 10 more"));
}

TEST_CASE("the legend always counts the remaining parts", "[charts][pie]") {
  PieChart chart = pie_of(std::vector<double>(16, 1));
  chart.parts.back().rest = true;
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 640, 120, style);
  check_sound(drawing, style);
  CHECK(has_text(drawing, "and 10 more"));
  CHECK(has_text(drawing, "part number 15"));
  CHECK_FALSE(has_text(drawing, "part number 5"));
}

TEST_CASE("a pie without values is an empty ring", "[charts][pie]") {
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(pie_of({0, 0}), 640, 300, style);
  check_sound(drawing, style);
  CHECK(shapes_of<Polygon>(drawing).size() == 2);  // ring and hole
  CHECK(drawing.hits.size() == 2);                 // legend entries
  CHECK(draw(PieChart{}, 640, 300, style).hits.empty());
}

}  // namespace
}  // namespace warpscope::charts
