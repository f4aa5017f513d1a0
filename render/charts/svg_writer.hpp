#pragma once
// A chart as SVG, in place in a page: the same shapes that the window paints. Colours are properties that the page's
// style gives a value in each theme, so that one drawing is right on a light and on a dark ground, and on paper.
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

/// The colours of all drawings of a page: pairs of what a thing has on a light and on a dark ground.
class SvgColors {
 public:
  /// The custom property of a pair, without its dashes: "c0", "c1", …
  [[nodiscard]] std::string property_of(Color light, Color dark);
  /// All of them with their colours for one of the grounds, for a rule of the page's style.
  void write_properties(std::string& out, bool dark) const;

 private:
  std::map<std::pair<Color, Color>, std::size_t> known_;
};

/// Appends an <svg> element. `light` and `dark` are one chart laid out for either theme, of the same size; where their
/// shapes differ in more than colour, those of `light` hold. `title`: for those who cannot see it.
void write_svg(std::string& out, const Drawing& light, const Drawing& dark, SvgColors& colors, std::string_view title);

/// Appends a whole SVG file of a drawing with its colors: for papers and other programs.
void write_svg_file(std::string& out, const Drawing& drawing, std::string_view title);

/// About as wide as a browser's sans-serif of `small`, `normal`, `large` px is: no font is at hand, and the reader's is
/// not known.
[[nodiscard]] float svg_text_width(std::string_view words, TextSize size);
[[nodiscard]] float svg_text_px(TextSize size);
/// What charts for a page are laid out with.
[[nodiscard]] ChartStyle svg_style(scene::Theme theme);

/// `text` with what HTML and XML take for marks written out.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace warpscope::charts
