// Charts of named rows: stacked bars and heat maps.
#include <cmath>

#include "render/charts/colors.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/stacked_bars.hpp"
#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using namespace warpscope::test;

constexpr float kWidths[] = {160, 240, 420, 1400};
constexpr float kHeights[] = {80, 200, 600};

StackedBars activity(int rows) {
  StackedBars chart;
  chart.parts = {{"kernel", 0xFF0000AA}, {"memory", 0xFF00AA00}, {"idle", 0xFFAA0000}};
  for (int r = 0; r < rows; ++r)
    chart.rows.push_back({"GPU " + std::to_string(r), {6e6, 3e6, r == 1 ? 0.0 : 1e6}, "10.0 ms", std::nullopt});
  return chart;
}

TEST_CASE("parts of a bar are adjacent and proportional to their values", "[charts][bars]") {
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(activity(2), 500, 200, style);
  check_sound(drawing, style);
  REQUIRE(drawing.hits.size() == 5);
  const auto box = [&](std::size_t i) { return std::get<Box>(drawing.hits[i].where); };
  CHECK(box(0).x0 == drawing.plot.x0);
  CHECK(box(0).x1 == box(1).x0);
  CHECK(box(2).x1 == Approx(drawing.plot.x1));
  CHECK(box(0).width() == Approx(drawing.plot.width() * 0.6).margin(1));
  CHECK(drawing.hits[2].item == 2);
  CHECK(drawing.hits[3].item == 3);  // second row, first part
  CHECK(drawing.hits[4].item == 4);
  CHECK(box(4).x1 == Approx(drawing.plot.x0 + drawing.plot.width() * 0.9).margin(1));
  for (const char* text : {"GPU 0", "GPU 1", "kernel", "idle", "10.0 ms", "0"}) CHECK(has_text(drawing, text));
}

TEST_CASE("bars that do not fit are counted", "[charts][bars]") {
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(activity(40), 500, 200, style);
  check_sound(drawing, style);
  CHECK(drawing.hits.size() < 40u * 3);
  const std::vector<std::string> texts = test::texts_of(drawing);
  CHECK(std::ranges::any_of(texts, [](const std::string& t) { return t.starts_with("and ") && t.ends_with(" more"); }));
  for (const float width : kWidths)
    for (const float height : kHeights)
      for (const int rows : {1, 5, 40}) {
        INFO(width << " x " << height << ", " << rows);
        check_sound(draw(activity(rows), width, height, style), style);
      }
}

TEST_CASE("bar charts have a title, count omitted bars and fit names", "[charts][bars]") {
  StackedBars chart = activity(40);
  chart.title = "Time of each GPU";
  chart.left_out = 1960;
  for (const float scale : {1.0f, 2.0f}) {
    ChartStyle style = plain_style();
    style.scale = scale;
    style.small_height *= scale;
    const Drawing drawing = draw(chart, 500 * scale, 300 * scale, style);
    check_sound(drawing, style);
    CHECK(has_text(drawing, chart.title));
    const std::vector<std::string> texts = test::texts_of(drawing);
    const auto names = std::ranges::count_if(texts, [](const std::string& t) { return t.starts_with("GPU "); });
    CHECK(static_cast<std::size_t>(names) == (drawing.hits.size() + 2) / 3);  // one of the bars has only two parts
    CHECK(has_text(drawing, "and 1\u2009" + std::to_string(1000 - names) + " more in the table"));
  }
  chart.rows.resize(3);
  const Drawing roomy = draw(chart, 500, 300, plain_style());
  check_sound(roomy, plain_style());
  CHECK(has_text(roomy, "and 1\u2009960 more in the table"));
  for (const float width : kWidths)
    for (const float height : kHeights) check_sound(draw(chart, width, height, plain_style()), plain_style());
}

TEST_CASE("names with a common prefix are shortened in the middle, and tiny bars can be hit", "[charts][bars]") {
  StackedBars chart;
  chart.parts = {{"time", 0xFF0000AA}};
  const std::string name = "rank 0 · a_kernel_with_a_name_that_has_no_room · at ";
  for (const char* at : {"1 ms", "2 ms"}) chart.rows.push_back({name + at, {1e6}, "1.00 ms", std::nullopt});
  chart.rows.push_back({"another_kernel_with_a_name_that_has_no_room_here", {1.0}, "1 ns", std::nullopt});
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 300, 140, style);
  check_sound(drawing, style);
  const std::vector<std::string> texts = test::texts_of(drawing);
  for (const char* end : {"1 ms", "2 ms"})
    CHECK(std::ranges::any_of(texts, [&](const std::string& t) {
      return t.starts_with("rank 0") && t.find("…") != std::string::npos && t.ends_with(end);
    }));
  CHECK(std::ranges::any_of(texts, [](const std::string& t) { return t.starts_with("another") && t.ends_with("…"); }));
  CHECK(drawing.hit({10, drawing.plot.y1 - 5}) == 2u);  // a bar one pixel wide
}

TEST_CASE("bars scale to the largest bar shown", "[charts][bars]") {
  StackedBars chart;
  chart.parts = {{"time", 0xFF0000AA}};
  for (int r = 0; r < 40; ++r) chart.rows.push_back({std::to_string(r), {r == 39 ? 1e9 : 1e6}, "", std::nullopt});
  const Drawing drawing = draw(chart, 500, 200, plain_style());
  CHECK(std::get<Box>(drawing.hits[1].where).x1 == Approx(drawing.plot.x1).margin(1));
}

HeatMap cores(std::size_t rows, std::size_t columns) {
  HeatMap chart;
  chart.columns = columns;
  for (std::size_t r = 0; r < rows; ++r) {
    chart.rows.push_back("cpu" + std::to_string(r));
    for (std::size_t c = 0; c < columns; ++c)
      chart.values.push_back(static_cast<double>(r + c) / static_cast<double>(rows + columns));
  }
  chart.x_end = 60e9;
  return chart;
}

TEST_CASE("heat map cells have the colors of their values", "[charts][heat]") {
  const ChartStyle style = plain_style();
  const HeatMap chart = cores(2, 3);
  const Drawing drawing = draw(chart, 500, 120, style);
  check_sound(drawing, style);
  std::size_t cells = 0;
  for (const FilledBox& box : shapes_of<FilledBox>(drawing))
    for (std::size_t i = 0; i < 6; ++i)
      if (drawing.plot.contains(Box{box.box.x0, box.box.y0, box.box.x1, box.box.y1}) &&
          box.color == heat_color(chart.values[i], style.theme) &&
          cell_at(chart, drawing, {(box.box.x0 + box.box.x1) / 2, (box.box.y0 + box.box.y1) / 2}) == i)
        ++cells;
  CHECK(cells == 6);
  CHECK_FALSE(cell_at(chart, drawing, {0, 0}).has_value());
  for (const char* text : {"cpu0", "cpu1", "100.0 %", "0.0 %"}) CHECK(has_text(drawing, text));
}

TEST_CASE("a peak is visible with any number of columns", "[charts][heat]") {
  HeatMap chart = cores(1, 50000);
  std::ranges::fill(chart.values, 0.0);
  chart.values[31415] = 1;
  const ChartStyle style = plain_style();
  const Drawing drawing = draw(chart, 500, 120, style);
  CHECK(drawing.shapes.size() < 120);  // adjacent cells with the same color are one box
  bool seen = false;
  for (const FilledBox& box : shapes_of<FilledBox>(drawing))
    seen = seen || (box.color == heat_color(1, style.theme) && drawing.plot.contains(box.box));
  CHECK(seen);
}

TEST_CASE("heat map rows that are too low become groups that show their maximum", "[charts][heat]") {
  const ChartStyle style = plain_style();
  HeatMap chart;
  chart.columns = 4;
  for (int r = 0; r < 4096; ++r) chart.rows.push_back("rank " + std::to_string(r));
  chart.values.assign(chart.rows.size() * chart.columns, 0.1);
  chart.values[2741 * 4 + 2] = 1;
  chart.column_names = {"1", "2", "3", "4"};
  chart.title = "time";
  const Drawing drawing = draw(chart, 500, 300, style);
  check_sound(drawing, style);
  CHECK(drawing.hits.size() < 200);
  CHECK(drawing.hits.size() > 50);
  CHECK(std::ranges::count_if(drawing.hits, [](const HitRegion& hit) { return hit.item == 2741; }) == 1);
  const auto at_top = std::ranges::count_if(drawing.shapes, [&](const Shape& shape) {
    const auto* box = std::get_if<FilledBox>(&shape);
    return box != nullptr && box->color == heat_color(1, style.theme) && drawing.plot.contains(box->box);
  });
  CHECK(at_top == 1);
  CHECK((has_text(drawing, "3") && has_text(drawing, "time")));
}

TEST_CASE("heat maps are laid out correctly at every size", "[charts][heat]") {
  const ChartStyle style = plain_style();
  for (const float width : kWidths)
    for (const float height : kHeights)
      for (const std::size_t rows : {1u, 8u, 96u}) {
        INFO(width << " x " << height << ", " << rows);
        check_sound(draw(cores(rows, 30), width, height, style), style);
      }
  CHECK(draw(HeatMap{}, 300, 100, style).shapes.empty());
}

}  // namespace
}  // namespace warpscope::charts
