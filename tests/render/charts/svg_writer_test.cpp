// Charts as SVG: all shapes, colors for both backgrounds, and escaped names.
#include "render/charts/svg_writer.hpp"

#include "render/charts/stacked_bars.hpp"
#include "tests/catch.hpp"
#include "tests/text.hpp"

namespace warpscope::charts {
namespace {

using tests::contains;

constexpr Color kRed = 0xFF0000FFu;  // little endian: 0xAABBGGRR
constexpr Color kGreen = 0xFF00FF00u;
constexpr Color kVeil = 0x80000000u;

std::string svg_of(const std::vector<Shape>& light, const std::vector<Shape>& dark, SvgColors& colors) {
  Drawing a;
  a.width = 200;
  a.height = 100.5f;
  a.shapes = light;
  Drawing b = a;
  b.shapes = dark;
  std::string out;
  write_svg(out, a, b, colors, "a \"chart\"");
  return out;
}

TEST_CASE("every shape in a chart is in its SVG", "[charts][svg]") {
  SvgColors colors;
  const std::vector<Shape> shapes{
      FilledBox{{1, 2, 11.25f, 22}, kRed, 3},
      Polygon{{{0, 0}, {10, 0}, {5, 8}}, kGreen},
      Polyline{{{0, 0}, {10, 10}}, kRed, 2, 4, false},
      Polyline{{{0, 0}, {10, 10}, {0, 10}}, kRed, 1, 0, true},
      Text{{5, 20}, "gemm<float, 4> & \"co\"", kGreen, TextSize::small, Align::right},
      Text{{5, 20}, "", kGreen, TextSize::small, Align::left},
      FilledBox{{1, 2, 1, 22}, kRed, 0},
  };
  const std::string svg = svg_of(shapes, shapes, colors);
  CHECK(
      svg.starts_with("<svg viewBox=\"0 0 200 100.5\" width=\"200\" height=\"100.5\" role=\"img\" aria-label=\"a "
                      "&quot;chart&quot;\">"));
  CHECK(svg.ends_with("</svg>"));
  CHECK(contains(svg, "<rect x=\"1\" y=\"2\" width=\"10.2\" height=\"20\" rx=\"3\" fill=\"var(--c0)\"/>"));
  CHECK(contains(svg, "<polygon points=\"0 0 10 0 5 8\" fill=\"var(--c1)\"/>"));
  CHECK(contains(svg,
                 "<polyline points=\"0 0 10 10\" fill=\"none\" stroke=\"var(--c0)\" stroke-width=\"2\" "
                 "stroke-dasharray=\"4\"/>"));
  CHECK(contains(svg, "<polygon points=\"0 0 10 10 0 10\" fill=\"none\" stroke=\"var(--c0)\" stroke-width=\"1\"/>"));
  CHECK(contains(svg, "text-anchor=\"end\" fill=\"var(--c1)\">gemm&lt;float, 4&gt; &amp; &quot;co&quot;</text>"));
  // Shapes of zero size are omitted.
  std::size_t rects = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) ++rects;
  CHECK(rects == 1);
}

TEST_CASE("an element has one property with a color for each background", "[charts][svg]") {
  SvgColors colors;
  const std::string svg = svg_of({FilledBox{{0, 0, 5, 5}, kRed}, FilledBox{{5, 0, 9, 5}, kRed}},
                                 {FilledBox{{0, 0, 5, 5}, kGreen}, FilledBox{{5, 0, 9, 5}, kVeil}}, colors);
  CHECK(contains(svg, "var(--c0)"));
  CHECK(contains(svg, "var(--c1)"));
  std::string light;
  std::string dark;
  colors.write_properties(light, false);
  colors.write_properties(dark, true);
  CHECK(contains(light, "--c0:#ff0000;"));
  CHECK(contains(light, "--c1:#ff0000;"));
  CHECK(contains(dark, "--c0:#00ff00;"));
  CHECK(contains(dark, "--c1:#00000080;"));
  // If the dark layout differs, the element keeps the light theme's layout.
  const std::string one = svg_of({FilledBox{{0, 0, 5, 5}, kGreen}}, {}, colors);
  CHECK(contains(one, "var(--c2)"));
}

TEST_CASE("charts are laid out with the text widths of browsers", "[charts][svg]") {
  CHECK(svg_text_width("iii", TextSize::small) < svg_text_width("mmm", TextSize::small));
  CHECK(svg_text_width("gemm", TextSize::large) > svg_text_width("gemm", TextSize::small));
  CHECK(svg_text_width("µ", TextSize::small) == Approx(svg_text_width("…", TextSize::small)));
  CHECK(svg_text_width("\xF0\x9F", TextSize::small) > 0);  // an incomplete UTF-8 character
  StackedBars bars;
  bars.parts = {{"time", kRed}};
  bars.rows = {{"a kernel with a name", {5}, "5 ms", {}}, {"another", {3}, "3 ms", {}}};
  const Drawing light = draw(bars, 600, 120, svg_style(scene::Theme::light));
  const Drawing dark = draw(bars, 600, 120, svg_style(scene::Theme::dark));
  CHECK(light.shapes.size() == dark.shapes.size());
  SvgColors colors;
  std::string out;
  write_svg(out, light, dark, colors, "bars");
  CHECK(contains(out, ">a kernel with a name</text>"));
}

}  // namespace
}  // namespace warpscope::charts
