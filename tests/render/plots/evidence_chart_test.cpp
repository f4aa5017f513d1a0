// Charts of findings: every bar can be hovered, and lengths follow the values.
#include "render/plots/evidence_chart.hpp"

#include "render/charts/svg_writer.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using charts::Drawing;
using rules::Evidence;

namespace {

std::vector<charts::Box> filled(const Drawing& drawing, charts::Color color) {
  std::vector<charts::Box> boxes;
  for (const charts::Shape& shape : drawing.shapes)
    if (const auto* box = std::get_if<charts::FilledBox>(&shape); box != nullptr && box->color == color)
      boxes.push_back(box->box);
  return boxes;
}

Evidence evidence_of(Evidence::Form form, std::size_t count) {
  Evidence evidence{"Idle time a step, by cause", ColumnKind::duration, form};
  for (std::size_t i = 0; i < count; ++i)
    evidence.bars.push_back({"a cause with a long name that needs much room, number " + std::to_string(i),
                             1e6 * static_cast<double>(count - i)});
  return evidence;
}

}  // namespace

TEST_CASE("finding charts stay inside their box at any width") {
  const charts::ChartStyle style = charts::svg_style(scene::Theme::light);
  for (const auto form : {Evidence::Form::bars, Evidence::Form::columns})
    for (const std::size_t count : {std::size_t{2}, std::size_t{6}, rules::kMostColumns})
      for (const float width : {240.0F, 480.0F, 900.0F}) {
        const Evidence evidence = evidence_of(form, count);
        const Drawing drawing = plots::draw_evidence(evidence, width, style);
        CHECK(drawing.height == style.px(plots::evidence_height(evidence)));
        REQUIRE(drawing.hits.size() == count);
        const auto boxes = filled(drawing, style.colors().accent);
        REQUIRE(boxes.size() == count);
        const charts::Box all{0, 0, width, drawing.height};
        for (std::size_t i = 0; i < count; ++i) {
          CHECK(all.contains(boxes[i]));
          const charts::Box hit = std::get<charts::Box>(drawing.hits[i].where);
          CHECK(hit.overlaps(boxes[i]));
        }
        for (const charts::Shape& shape : drawing.shapes)
          if (const auto* text = std::get_if<charts::Text>(&shape)) {
            const float length = style.measure(text->text, text->size);
            const float left = text->align == charts::Align::right ? text->at.x - length : text->at.x;
            CHECK(left >= -0.5F);
            CHECK(left + length <= width + 0.5F);
          }
      }
}

TEST_CASE("the lengths of bars and columns in finding charts match their values") {
  const charts::ChartStyle style = charts::svg_style(scene::Theme::dark);
  const auto bars =
      filled(plots::draw_evidence(evidence_of(Evidence::Form::bars, 4), 600, style), style.colors().accent);
  REQUIRE(bars.size() == 4);
  CHECK(bars[1].width() == Approx(bars[0].width() * 0.75F).margin(1));
  CHECK(bars[3].width() == Approx(bars[0].width() * 0.25F).margin(1));
  const auto columns =
      filled(plots::draw_evidence(evidence_of(Evidence::Form::columns, 4), 600, style), style.colors().accent);
  REQUIRE(columns.size() == 4);
  CHECK(columns[2].height() == Approx(columns[0].height() * 0.5F).margin(1));
  CHECK(columns[0].x1 <= columns[1].x0);
  CHECK(plots::bar_words(evidence_of(Evidence::Form::bars, 4), 3).ends_with("number 3: 1.00 ms"));
  CHECK(plots::evidence_height({}) == 0);
  CHECK(plots::draw_evidence({}, 600, style).shapes.empty());
}
