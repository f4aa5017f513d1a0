// Shapes of box plots.
#include "render/charts/box_plot.hpp"

#include "tests/catch.hpp"
#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using namespace warpscope::test;

BoxPlot two_boxes() {
  BoxPlot plot;
  plot.below = 1;
  plot.above = 2;
  plot.title = "Utilization";
  plot.rows = {{"GPU 0", 0.1, 0.2, 0.5, 0.7, 1.0}, {"GPU 1", 0.4, 0.4, 0.4, 0.4, 0.4}};
  return plot;
}

std::vector<Box> boxes_of(const Drawing& drawing, Color color) {
  std::vector<Box> boxes;
  for (const Shape& shape : drawing.shapes)
    if (const auto* box = std::get_if<FilledBox>(&shape); box != nullptr && box->color == color && box->radius == 0)
      if (drawing.plot.contains(box->box)) boxes.push_back(box->box);
  return boxes;
}

}  // namespace

TEST_CASE("a box extends from the lower to the upper quartile and is divided at the median", "[charts]") {
  const Drawing drawing = draw(two_boxes(), 600, 120, plain_style());
  const std::vector<Box> below = boxes_of(drawing, 1);
  const std::vector<Box> above = boxes_of(drawing, 2);
  REQUIRE(below.size() == 1);  // a box of zero width has only its median
  REQUIRE(above.size() == 1);
  const auto at = [&](double share) {
    return std::round(drawing.plot.x0 + drawing.plot.width() * static_cast<float>(share));
  };
  CHECK(below.front().x0 == at(0.2));
  CHECK(below.front().x1 == at(0.5));
  CHECK(above.front().x0 == at(0.5));
  CHECK(above.front().x1 == at(0.7));
  // Whiskers and their end caps.
  std::vector<float> ends;
  for (const Shape& shape : drawing.shapes)
    if (const auto* line = std::get_if<Polyline>(&shape); line != nullptr && line->points.size() == 2)
      if (line->points[0].y == line->points[1].y && drawing.plot.contains(Point{line->points[0].x, line->points[0].y}))
        ends.push_back(line->points[1].x);
  CHECK(std::ranges::count(ends, at(0.1)) == 1);
  CHECK(std::ranges::count(ends, at(1.0)) == 1);
}

TEST_CASE("a box plot has one row per item, with its median", "[charts]") {
  const Drawing drawing = draw(two_boxes(), 600, 120, plain_style());
  CHECK(drawing.hits.size() == 2);
  std::vector<std::string> texts;
  for (const Shape& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(text->text);
  for (const char* const words : {"Utilization", "GPU 0", "50.0 %", "40.0 %"})
    CHECK(std::ranges::count(texts, words) >= 1);
  CHECK(draw(BoxPlot{}, 600, 120, plain_style()).shapes.empty());
}

}  // namespace warpscope::charts
