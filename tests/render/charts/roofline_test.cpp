// The roofline: dots placed by rate and intensity, below the GPU's roofs.
#include "render/charts/roofline.hpp"

#include <algorithm>

#include "core/base/table.hpp"
#include "render/plots/roofline_plot.hpp"
#include "tests/catch.hpp"
#include "tests/render/charts/chart_checks.hpp"

using namespace warpscope;
using namespace warpscope::charts;
using namespace warpscope::test;

namespace {

Roofline sample_roofline() {
  return {.title = "",
          .dots = {{"short", 1, 0.5, 100, 1}, {"long", 200, 300, 10'000, 2}, {"copy", 0, 0, 5'000, 3}},
          .roofs = {{"bf16: 1000 TFLOP/s", 4, 1000}}};
}

const Sector* dot_sector(const Drawing& drawing, std::uint32_t item) {
  for (const HitRegion& hit : drawing.hits)
    if (hit.item == item) return std::get_if<Sector>(&hit.where);
  return nullptr;
}

}  // namespace

TEST_CASE("roofline dots are placed by intensity and rate, with an area proportional to time") {
  const Drawing drawing = draw(sample_roofline(), 800, 400, plain_style());
  const Sector* const brief = dot_sector(drawing, 0);
  const Sector* const longest = dot_sector(drawing, 1);
  REQUIRE((brief != nullptr && longest != nullptr));
  CHECK(dot_sector(drawing, 2) == nullptr);  // no arithmetic
  CHECK(longest->centre.x > brief->centre.x);
  CHECK(longest->centre.y < brief->centre.y);
  CHECK(longest->outer > brief->outer);
  // A hundredth of the time has a tenth of the radius, unless that would be invisible.
  CHECK((brief->outer >= 2.5f && brief->outer <= longest->outer / 7));
  CHECK(drawing.hit(brief->centre) == 0u);
}

TEST_CASE("the roof has its ridge where memory and arithmetic take equally long") {
  const Drawing drawing = draw(sample_roofline(), 800, 400, plain_style());
  const Polyline* roof = nullptr;
  for (const Shape& shape : drawing.shapes)
    if (const auto* line = std::get_if<Polyline>(&shape); line != nullptr && line->points.size() == 3 && !line->closed)
      roof = line;
  REQUIRE(roof != nullptr);
  // The ridge is at 1000 TFLOP/s over 4 TB/s; the long dot, at 200, is to the left of it.
  CHECK(roof->points[1].x > dot_sector(drawing, 1)->centre.x);
  CHECK(roof->points[1].y == roof->points[2].y);
  CHECK(roof->points[0].y > roof->points[1].y);
  CHECK(roof->points[2].x == Approx(drawing.plot.x1));
}

TEST_CASE("a roofline without dots or space is empty") {
  CHECK(draw(Roofline{}, 800, 400, plain_style()).hits.empty());
  CHECK(draw(sample_roofline(), 800, 20, plain_style()).shapes.empty());
}

TEST_CASE("a roofline finds the columns for dots and roofs by role") {
  Table problems("p", "",
                 {{"any", "", ColumnRole::op},
                  {"sizes", "", ColumnRole::dims},
                  {"t", "", ColumnRole::total},
                  {"r", "", ColumnRole::flop_rate},
                  {"b", "", ColumnRole::byte_rate},
                  {"i", "", ColumnRole::intensity}});
  problems.add_row({"aten::mm", "M=1", 700, 90.0, 1.0, 300.0});
  problems.add_row({"aten::add", "4x4", 20, 0.5, 2.0, 0.25});
  Table peaks("q", "",
              {{"model", "", ColumnRole::model}, {"r", "", ColumnRole::flop_rate}, {"m", "", ColumnRole::byte_rate}});
  peaks.add_row({"H100", 989.4, 3.35});
  const auto chart = plots::roofline_of(problems, {problems, peaks}, scene::Theme::dark);
  REQUIRE(chart);
  REQUIRE(chart->dots.size() == 2);
  CHECK(chart->dots[0].name == "aten::mm M=1");
  CHECK(chart->dots[0].time == 700);
  CHECK(chart->dots[0].color != chart->dots[1].color);  // compute-bound and memory-bound
  REQUIRE(chart->roofs.size() == 1);
  CHECK(chart->roofs[0].name == "H100: 989.4 TFLOP/s");
  CHECK(chart->roofs[0].memory == 3.35);
  CHECK_FALSE(plots::roofline_of(peaks, {problems, peaks}, scene::Theme::dark));
}
