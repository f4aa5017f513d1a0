#include "render/charts/line_chart.hpp"

#include <cmath>

#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using namespace warpscope::test;

LineSeries wave(const std::string& name, int points, Color color = 0xFF00FF00) {
  LineSeries series{name, color, {}, false};
  for (int i = 0; i < points; ++i) series.points.push_back({i * 1e6, 0.5 + 0.4 * std::sin(i * 0.1)});
  return series;
}

TEST_CASE("curves pass through their points", "[charts][line]") {
  LineChart chart;
  chart.series = {{"algo-1", 1, {{0, 0}, {5e8, 1}, {1e9, 0.5}}, false}};
  chart.y_range = {0.0, 1.0};
  const ChartStyle style = plain_style();
  const LineDrawing made = draw_lines(chart, 500, 240, style);
  check_sound(made.drawing, style);
  const std::vector<Polyline> lines = shapes_of<Polyline>(made.drawing);
  REQUIRE(lines.size() == 1);
  REQUIRE(lines[0].points.size() == 3);
  const Box plot = made.drawing.plot;
  CHECK(lines[0].points[0] == Point{plot.x0, plot.y1});
  CHECK(lines[0].points[1].x == Approx((plot.x0 + plot.x1) / 2));
  CHECK(lines[0].points[1].y == plot.y0);
  for (const char* label : {"0 %", "50 %", "100 %", "0"}) CHECK(has_text(made.drawing, label));
  CHECK_FALSE(has_text(made.drawing, "algo-1"));  // a single curve needs no legend
}

TEST_CASE("several curves have a legend above the plot", "[charts][line]") {
  LineChart chart;
  for (int i = 0; i < 20; ++i) chart.series.push_back(wave("algo-" + std::to_string(i + 1), 50));
  chart.y_range = {0.0, 1.0};
  const ChartStyle style = plain_style();
  for (const float width : {180.0f, 320.0f, 900.0f}) {
    const LineDrawing made = draw_lines(chart, width, 240, style);
    check_sound(made.drawing, style);
    CHECK(has_text(made.drawing, "algo-1"));
    for (const Text& text : shapes_of<Text>(made.drawing))
      if (text.text.starts_with("algo-")) CHECK(test::bounds_of(text, style).y1 <= made.drawing.plot.y0);
  }
  CHECK(has_text(draw_lines(chart, 320, 240, style).drawing, "+ 13"));
}

TEST_CASE("the chart title is above the plot, next to or above the legend", "[charts][line]") {
  LineChart chart;
  chart.title = "Queue length (launches)";
  const ChartStyle style = plain_style();
  for (const int curves : {1, 2, 20}) {
    chart.series.clear();
    for (int i = 0; i < curves; ++i) chart.series.push_back(wave("algo-" + std::to_string(i + 1), 50));
    for (const float width : {180.0f, 320.0f, 900.0f}) {
      const LineDrawing made = draw_lines(chart, width, 240, style);
      check_sound(made.drawing, style);
      CHECK(has_text(made.drawing, chart.title));
      for (const Text& text : shapes_of<Text>(made.drawing))
        if (text.text == chart.title) CHECK(test::bounds_of(text, style).y1 <= made.drawing.plot.y0);
    }
  }
}

TEST_CASE("a gap splits a curve, and steps extend to the gap", "[charts][line]") {
  LineChart chart;
  const double nothing = std::nan("");
  chart.series = {{"a", 1, {{0, 0.2}, {1, 0.4}, {2, nothing}, {3, 0.6}, {4, 0.8}}, false}};
  const ChartStyle style = plain_style();
  CHECK(shapes_of<Polyline>(draw_lines(chart, 500, 240, style).drawing).size() == 2);
  chart.series[0].steps = true;
  const std::vector<Polyline> lines = shapes_of<Polyline>(draw_lines(chart, 500, 240, style).drawing);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].points.size() == 4);  // 0.2, corner, 0.4, and 0.4 held until the gap
  CHECK(lines[0].points[2].y == lines[0].points[3].y);
  chart.series = {{"one", 1, {{0, nothing}, {1, 0.5}}, false}};
  CHECK(shapes_of<Polyline>(draw_lines(chart, 500, 240, style).drawing).empty());  // a single point is drawn as a dot
}

TEST_CASE("many points are thinned to about two per pixel and keep their peaks", "[charts][line]") {
  LineChart chart;
  LineSeries series{"a", 1, {}, false};
  for (int i = 0; i < 100000; ++i) series.points.push_back({static_cast<double>(i), i == 77777 ? 1.0 : 0.1});
  chart.series.push_back(series);
  chart.y_range = {0.0, 1.0};
  const LineDrawing made = draw_lines(chart, 500, 240, plain_style());
  const Polyline line = shapes_of<Polyline>(made.drawing).front();
  CHECK(line.points.size() < 1100);
  float top = 1000;
  for (const Point p : line.points) top = std::min(top, p.y);
  CHECK(top == made.drawing.plot.y0);
}

TEST_CASE("the pointer finds a curve's value, but not in gaps", "[charts][line]") {
  LineSeries series{"a", 1, {{0, 0.2}, {10, 0.4}, {20, std::nan("")}, {30, 0.6}}, false};
  CHECK(value_at(series, 4)->y == 0.2);
  CHECK(value_at(series, 6)->y == 0.4);
  CHECK_FALSE(value_at(series, 19).has_value());
  CHECK_FALSE(value_at(series, -1).has_value());
  CHECK_FALSE(value_at(series, 31).has_value());
  CHECK(value_at(series, 30)->y == 0.6);
  series.steps = true;
  CHECK(value_at(series, 9)->y == 0.2);
  CHECK_FALSE(value_at(series, 25).has_value());
}

TEST_CASE("stacked curves are areas on top of each other that keep their peaks", "[charts][line]") {
  LineChart chart;
  chart.stacked = true;
  // At 500 000, the value rises for far less than a pixel.
  chart.series = {{"a", 1, {{0, 10}, {500'000, 40}, {500'001, 10}, {1'000'000, 0}}, true},
                  {"b", 2, {{0, 20}, {500'000, 20}, {500'001, 20}, {1'000'000, std::nan("")}}, true}};
  chart.y_range = {0.0, 60.0};
  const ChartStyle style = plain_style();
  const LineDrawing made = draw_lines(chart, 500, 240, style);
  check_sound(made.drawing, style);
  const Box plot = made.drawing.plot;
  const std::vector<FilledBox> boxes = shapes_of<FilledBox>(made.drawing);
  std::vector<Box> a;
  std::vector<Box> b;
  for (const FilledBox& box : boxes) {
    if (box.box.y1 <= plot.y0) continue;  // legend boxes
    if (box.color == 1) a.push_back(box.box);
    if (box.color == 2) b.push_back(box.box);
  }
  REQUIRE(a.size() == 3);
  REQUIRE(b.size() == 3);
  CHECK(a[0].x0 == plot.x0);
  CHECK(a[1].width() == 1);
  CHECK(a[2].x1 == plot.x1);
  CHECK(a[0].y1 == plot.y1);
  CHECK(a[0].y0 == made.y.px(10));
  CHECK(a[1].y0 == made.y.px(40));
  CHECK(b[1].y1 == a[1].y0);
  CHECK(b[1].y0 == made.y.px(60));
  CHECK(b[2].y0 == made.y.px(30));
  chart.y_range.reset();
  CHECK(draw_lines(chart, 500, 240, style).y.high == Approx(63));
}

}  // namespace
}  // namespace warpscope::charts
