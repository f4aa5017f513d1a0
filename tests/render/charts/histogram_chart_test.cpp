#include "render/charts/histogram_chart.hpp"

#include <cmath>

#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using namespace warpscope::test;

HistogramChart steps() {
  HistogramChart chart;
  for (int i = 0; i < 10; ++i)
    chart.bins.push_back({10e6 + i * 1e6, 11e6 + i * 1e6, static_cast<double>((i * 7) % 5)});  // 0 2 4 1 3 0 2 4 1 3
  chart.marks = {{"median", 14e6, true}, {"mean", 14.2e6, false}, {"p95", 18e6, false}, {"max", 20e6, false}};
  chart.spread = {12e6, 16.4e6};
  chart.spread_name = "σ 2.20 ms";
  chart.color = scene::rgb(0x123456);
  return chart;
}

std::vector<Box> bars_of(const Drawing& drawing, Color color) {
  std::vector<Box> bars;
  for (const FilledBox& box : shapes_of<FilledBox>(drawing))
    if (box.color == color) bars.push_back(box.box);
  return bars;
}

TEST_CASE("histogram bars match the position and count of their bins", "[charts][histogram]") {
  const HistogramChart chart = steps();
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 600, 260, style);
  check_sound(drawing, style);
  const std::vector<Box> bars = bars_of(drawing, chart.color);
  REQUIRE(bars.size() == 8);  // empty bins have no bar
  CHECK(bars[1].height() == Approx(2 * bars[0].height()).margin(1.5));
  CHECK(bars[1].height() == Approx(4 * bars[2].height()).margin(3));
  const float bin = drawing.plot.width() / 10;
  CHECK(bars[0].x0 == Approx(drawing.plot.x0 + bin).margin(1));
  CHECK(drawing.hit({bars[2].x0 + 2, drawing.plot.y0 + 1}) == 3u);  // the whole column can be hit
  CHECK_FALSE(drawing.hit({drawing.plot.x0 + 2, drawing.plot.y1 - 2}).has_value());
}

TEST_CASE("statistics are lines across the bars with their names above", "[charts][histogram]") {
  const HistogramChart chart = steps();
  const Drawing drawing = draw(chart, 600, 260, plain_style());
  std::vector<Polyline> lines = shapes_of<Polyline>(drawing);
  REQUIRE(lines.size() == 4);
  std::ranges::sort(lines, {}, [](const Polyline& line) { return line.points[0].x; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double part = (chart.marks[i].value - 10e6) / 10e6;
    CHECK(lines[i].points[0].x == Approx(drawing.plot.x0 + part * drawing.plot.width()).margin(1));
    CHECK(lines[i].points[1].y == drawing.plot.y1);
    CHECK((lines[i].dash == 0) == chart.marks[i].strong);
  }
  for (const char* label : {"median 14.0 ms", "mean 14.2 ms", "p95 18.0 ms", "max 20.0 ms", "σ 2.20 ms"})
    CHECK(has_text(drawing, label));
  for (const Text& text : shapes_of<Text>(drawing))
    if (text.text == "p95 18.0 ms") CHECK(test::bounds_of(text, plain_style()).y1 <= drawing.plot.y0);
}

TEST_CASE("marks without enough space keep their line and lose their name", "[charts][histogram]") {
  HistogramChart chart = steps();
  chart.marks.clear();
  for (int i = 0; i < 6; ++i) chart.marks.push_back({"p" + std::to_string(90 + i), 15e6 + i * 1e4, false});
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 300, 200, style);
  check_sound(drawing, style);
  CHECK(shapes_of<Polyline>(drawing).size() == 6);
}

TEST_CASE("a histogram is laid out correctly at every size", "[charts][histogram]") {
  const ChartStyle style = plain_style();
  for (const float width : {160.0f, 240.0f, 420.0f, 1400.0f})
    for (const float height : {100.0f, 200.0f, 600.0f}) {
      INFO(width << " x " << height);
      check_sound(draw(steps(), width, height, style), style);
    }
  CHECK(draw(HistogramChart{}, 300, 200, style).shapes.empty());
  HistogramChart one;
  one.bins = {{5, 5, 3}};
  check_sound(draw(one, 300, 200, style), style);
}

TEST_CASE("a single value has distinct axis labels and one mark for equal statistics", "[charts][histogram]") {
  HistogramChart chart;
  chart.color = scene::rgb(0x123456);
  chart.bins = {{1.204567e9, 1.204567e9 + 1, 1}};
  for (const char* const name : {"median", "mean", "p95", "p99", "max"})
    chart.marks.push_back({name, 1.204567e9, name == std::string("median")});
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 600, 260, style);
  check_sound(drawing, style);
  std::vector<std::string> labels;
  for (const Text& text : shapes_of<Text>(drawing))
    if (text.at.y > drawing.plot.y1) labels.push_back(text.text);
  CHECK(labels.size() > 2);
  std::ranges::sort(labels);
  CHECK(std::ranges::adjacent_find(labels) == labels.end());
  CHECK(shapes_of<Polyline>(drawing).size() == 1);
  CHECK(has_text(drawing, "median, mean, p95, p99, max 1.205 s"));
  const std::vector<Box> bars = bars_of(drawing, chart.color);
  REQUIRE(bars.size() == 1);
  CHECK(bars[0].width() >= 8);
  CHECK((bars[0].x0 + bars[0].x1) / 2 == Approx((drawing.plot.x0 + drawing.plot.x1) / 2).margin(2));
  CHECK(drawing.hit({bars[0].x0 + 4, drawing.plot.y0 + 1}) == 0u);
}

TEST_CASE("the selected bin has the accent color", "[charts][histogram]") {
  HistogramChart chart = steps();
  chart.chosen = 2;
  const ChartStyle style = plain_style();
  CHECK(bars_of(draw(chart, 600, 260, style), style.colors().accent).size() == 1);
}

}  // namespace
}  // namespace warpscope::charts
