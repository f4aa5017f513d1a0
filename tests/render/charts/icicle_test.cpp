// The icicle chart: boxes of calls below their callers, with widths proportional to their share of the total.
#include "render/charts/icicle.hpp"

#include "render/plots/analysis_plot.hpp"
#include "tests/catch.hpp"
#include "tests/render/charts/chart_checks.hpp"

using namespace warpscope;
using namespace warpscope::charts;
using namespace warpscope::test;

namespace {

Box box_of(const Drawing& drawing, std::uint32_t item) {
  for (const HitRegion& hit : drawing.hits)
    if (hit.item == item) return std::get<Box>(hit.where);
  return {};
}

/// main calls a (60 of 80) and b (10); c is next to main.
Icicle sample_icicle() {
  return {.title = "",
          .nodes = {{"main", 0, 80, 1}, {"a", 1, 60, 2}, {"deep", 2, 30, 3}, {"b", 1, 10, 4}, {"c", 0, 20, 5}}};
}

}  // namespace

TEST_CASE("icicle boxes are below their callers, with widths proportional to their share") {
  const Drawing drawing = draw(sample_icicle(), 1000, 200, plain_style());
  const Box main = box_of(drawing, 0);
  const Box a = box_of(drawing, 1);
  const Box b = box_of(drawing, 3);
  const Box c = box_of(drawing, 4);
  CHECK((main.x0 == 0 && main.x1 == Approx(799)));
  CHECK((a.x0 == 0 && a.x1 == Approx(599)));
  CHECK((b.x0 == Approx(600) && b.x1 == Approx(699)));
  CHECK((c.x0 == Approx(800) && c.x1 == Approx(999)));
  CHECK(main.y1 < a.y0);
  CHECK(a.y0 == b.y0);
  CHECK(c.y0 == main.y0);
  CHECK(box_of(drawing, 2).y0 > a.y1);
  CHECK(drawing.hit({650, b.y0 + 1}) == 3u);
  CHECK(has_text(drawing, "main"));
}

TEST_CASE("an icicle zoomed to a box shows the box and its callers at full width, and its callees") {
  Icicle chart = sample_icicle();
  chart.root = 1;
  const Drawing drawing = draw(chart, 1000, 200, plain_style());
  const Box main = box_of(drawing, 0);
  const Box a = box_of(drawing, 1);
  const Box deep = box_of(drawing, 2);
  CHECK((main.x0 == 0 && main.x1 == Approx(999)));
  CHECK((a.x0 == 0 && a.x1 == Approx(999)));
  CHECK(a.y0 > main.y0);
  CHECK((deep.x0 == 0 && deep.x1 == Approx(499)));
  CHECK(drawing.hits.size() == 3);
  chart.root = 3;  // its box starts at 60 of 80
  const Drawing other = draw(chart, 1000, 200, plain_style());
  CHECK((box_of(other, 3).x0 == 0 && box_of(other, 3).x1 == Approx(999)));
  CHECK(other.hits.size() == 2);
  chart.root = 99;
  CHECK(draw(chart, 1000, 200, plain_style()).hits.size() == 5);
}

TEST_CASE("a deep zoom shows only the nearest callers") {
  Icicle chart;
  for (std::uint32_t depth = 0; depth < 40; ++depth) chart.nodes.push_back({"f", depth, 10, 1});
  chart.root = 38;
  const Drawing drawing = draw(chart, 1000, 200, plain_style());
  CHECK(drawing.hits.size() == kCallersShown + 2);
  CHECK(box_of(drawing, 39).y1 < 200);
}

TEST_CASE("boxes that do not match a search are dimmed") {
  Icicle chart = sample_icicle();
  for (IcicleNode& node : chart.nodes) node.color = scene::rgb(0x20C040);
  chart.nodes[1].dim = true;
  const Drawing drawing = draw(chart, 1000, 200, plain_style());
  const auto color_of = [&](std::uint32_t item) {
    for (const Shape& shape : drawing.shapes)
      if (const auto* filled = std::get_if<FilledBox>(&shape);
          filled != nullptr && filled->box == box_of(drawing, item))
        return filled->color;
    return Color{0};
  };
  CHECK(color_of(0) == scene::rgb(0x20C040));
  CHECK(color_of(1) != scene::rgb(0x20C040));
  CHECK(color_of(1) != 0);
}

TEST_CASE("an icicle omits boxes that are too narrow or too deep") {
  Icicle chart = sample_icicle();
  chart.nodes[2].value = 0.01;
  CHECK(draw(chart, 1000, 200, plain_style()).hits.size() == 4);
  chart.nodes[2].value = 30;
  CHECK(draw(chart, 1000, 60, plain_style()).hits.size() == 4);
  CHECK(draw(Icicle{}, 1000, 200, plain_style()).hits.empty());
}

TEST_CASE("an icicle finds the name, depth and total columns by role") {
  Table table("t", "", {{"x", "", ColumnRole::name}, {"y", "", ColumnRole::depth}, {"z", "", ColumnRole::total}});
  table.add_row({"main", 0, 80});
  table.add_row({"  a", 1, 60});
  constexpr analysis::ChartSpec kSpec{.kind = analysis::ChartKind::icicle};
  const auto drawing = plots::plot_of(kSpec, {table}, 0, scene::Theme::dark);
  const auto* chart = std::get_if<Icicle>(&drawing.chart);
  REQUIRE(chart);
  CHECK((chart->nodes.size() == 2 && chart->nodes[1].name == "a" && chart->nodes[1].depth == 1));
  CHECK(chart->nodes[1].value == 60);
}
