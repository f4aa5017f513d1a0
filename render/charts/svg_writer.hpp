#pragma once
// Writes a chart as inline SVG for an HTML page, with the same shapes as in the window. Colors are CSS custom
// properties that the page's style sheet sets per theme, so one drawing works on light and dark backgrounds and on
// paper.
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

/// Colors of all drawings on a page, as pairs for light and dark backgrounds.
class SvgColors {
 public:
  /// Returns the name of a pair's custom property, without the leading dashes: "c0", "c1", …
  [[nodiscard]] std::string property_of(Color light, Color dark);
  /// Writes all properties with the colors of one theme, for a rule in the page's style sheet.
  void write_properties(std::string& out, bool dark) const;

 private:
  std::map<std::pair<Color, Color>, std::size_t> known_;
};

/// Appends an <svg> element. `light` and `dark` are the same chart laid out for each theme, at the same size; if their
/// shapes differ in more than color, `light` is used. `title` is for screen readers.
void write_svg(std::string& out, const Drawing& light, const Drawing& dark, SvgColors& colors, std::string_view title);

/// Estimates the width of `words` in a browser's sans-serif font of the given size; the reader's actual font is
/// unknown.
[[nodiscard]] float svg_text_width(std::string_view words, TextSize size);
[[nodiscard]] float svg_text_px(TextSize size);
/// Returns the style of charts on an HTML page.
[[nodiscard]] ChartStyle svg_style(scene::Theme theme);

/// Escapes `text` for HTML and XML.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace warpscope::charts
