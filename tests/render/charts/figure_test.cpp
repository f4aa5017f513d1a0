// Figures for papers: axis titles, full captions, and a self-contained SVG file.
#include "render/charts/figure.hpp"

#include <algorithm>
#include <string>

#include "render/charts/svg_writer.hpp"
#include "tests/catch.hpp"
#include "tests/render/charts/chart_checks.hpp"

using namespace warpscope;
using namespace warpscope::charts;

namespace {

StackedBars two_bars() {
  StackedBars bars;
  bars.parts = {{"compute", 0xFF112233}, {"idle", 0xFF445566}};
  bars.rows = {{"rank 0", {30e6, 10e6}, "40 ms", {}}, {"rank 1", {20e6, 20e6}, "40 ms", {}}};
  return bars;
}

Figure figure_of(const StackedBars& bars) {
  Figure figure;
  figure.title = "GPU time of each rank";
  figure.facts = "job · ranks 0-1";
  figure.axes = axis_titles(bars, "");
  figure.make = [bars](float width, float height, const ChartStyle& style) { return draw(bars, width, height, style); };
  return figure;
}

std::vector<std::string> texts_in_figure(const Drawing& drawing) {
  std::vector<std::string> texts;
  for (const Shape& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(text->text);
  return texts;
}

bool has(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

}  // namespace

TEST_CASE("a figure has its title, axis titles with units, and the entire caption") {
  Figure figure = figure_of(two_bars());
  std::string caption;
  for (int i = 0; i < 120; ++i) caption += (i == 0 ? "word" : " word") + std::to_string(i);
  figure.caption = caption;
  const Drawing drawing = draw_figure(figure, 600, 200, svg_style(scene::Theme::light));
  const std::vector<std::string> texts = texts_in_figure(drawing);
  CHECK(has(texts, "GPU time of each rank"));
  CHECK(has(texts, "job · ranks 0-1"));
  CHECK(has(texts, "Time"));
  CHECK(has(texts, "20 ms"));  // a tick label with its unit
  std::string joined;
  for (const std::string& text : texts)
    if (text.starts_with("word")) joined += (joined.empty() ? "" : " ") + text;
  CHECK(joined == caption);
  const ChartStyle style = svg_style(scene::Theme::light);
  for (const Shape& shape : drawing.shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) {
      const Box box = test::bounds_of(*text, style);
      CHECK(box.x0 >= 0);
      CHECK(box.x1 <= drawing.width);
      CHECK(box.y1 <= drawing.height);
    }
  }
}

TEST_CASE("axes of curves and histograms are titled with the measured quantity") {
  LineChart lines;
  CHECK(axis_titles(lines, "Utilization").x == "Time since the start of the trace");
  CHECK(axis_titles(lines, "Utilization").y == "Utilization (%)");
  CHECK(axis_titles(lines, "").y == "Share (%)");
  lines.y_unit = Unit::bytes;
  CHECK(axis_titles(lines, "").y == "Bytes");
  CHECK(axis_titles(HistogramChart{}, "").x == "Duration");
  CHECK(axis_titles(HistogramChart{}, "").y == "Count");
}

TEST_CASE("captions wrap at spaces, and words longer than a line are split") {
  ChartStyle style;
  style.measure = [](std::string_view words, TextSize) { return static_cast<float>(words.size()) * 10; };
  using Lines = std::vector<std::string>;
  CHECK(wrapped("", 100, TextSize::small, style).empty());
  CHECK(wrapped("one two three", 80, TextSize::small, style) == Lines{"one two", "three"});
  CHECK(wrapped("a\nb", 80, TextSize::small, style) == Lines{"a", "b"});
  CHECK(wrapped("abcdefgh ij", 50, TextSize::small, style) == Lines{"abcde", "fgh", "ij"});
  CHECK(wrapped("éé", 20, TextSize::small, style) == Lines{"é", "é"});
}

TEST_CASE("an SVG file is self-contained, with a namespace and plain colors on white") {
  const Drawing drawing = draw_figure(figure_of(two_bars()), 600, 200, svg_style(scene::Theme::light));
  std::string svg;
  write_svg_file(svg, drawing, "a < b");
  CHECK(svg.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("<title>a &lt; b</title>") != std::string::npos);
  CHECK(svg.find("var(--") == std::string::npos);
  CHECK(svg.find("width=\"600\" height=") != std::string::npos);
  CHECK(svg.find("fill=\"#ffffff\"") != std::string::npos);
  CHECK(svg.find("fill=\"#332211\"") != std::string::npos);  // colors are ABGR
  std::string faint;
  write_svg_file(faint, {.width = 10, .height = 10, .shapes = {FilledBox{{0, 0, 5, 5}, 0x80FF0000, 0}}, .hits = {}},
                 "");
  CHECK(faint.find("fill=\"#0000ff\" fill-opacity=\"0.502\"") != std::string::npos);
}
