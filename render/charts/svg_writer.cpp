#include "render/charts/svg_writer.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/base/utf8.hpp"

namespace warpscope::charts {
namespace {

/// Writes tenths of a px (finer than any screen) without a trailing ".0".
std::string number(float value) {
  std::string text = fmt::format("{:.1f}", std::isfinite(value) ? value : 0.0f);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string svg_points(const std::vector<Point>& points) {
  std::string text;
  for (const Point& p : points) fmt::format_to(std::back_inserter(text), "{} {} ", number(p.x), number(p.y));
  if (!text.empty()) text.pop_back();
  return text;
}

std::string hex_of(Color color) {
  std::string text = fmt::format("#{:02x}{:02x}{:02x}", color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF);
  if (color >> 24 != 0xFF) text += fmt::format("{:02x}", color >> 24);
  return text;
}

Color color_of(const Shape& shape) {
  return std::visit([](const auto& each) { return each.color; }, shape);
}

/// Paints with a property of the page. `attribute` is "fill" or "stroke".
std::string paint(std::string_view attribute, std::string_view property) {
  return fmt::format("{}=\"var(--{})\"", attribute, property);
}

void write_shape(std::string& out, const FilledBox& box, std::string_view color) {
  if (box.box.width() <= 0 || box.box.height() <= 0) return;
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.box.x0), number(box.box.y0),
                     number(box.box.width()), number(box.box.height()));
  if (box.radius > 0) out += fmt::format(" rx=\"{}\"", number(box.radius));
  out += fmt::format(" {}/>", paint("fill", color));
}

void write_shape(std::string& out, const Polygon& polygon, std::string_view color) {
  if (polygon.points.size() < 3) return;
  out += fmt::format("<polygon points=\"{}\" {}/>", svg_points(polygon.points), paint("fill", color));
}

void write_shape(std::string& out, const Polyline& line, std::string_view color) {
  if (line.points.size() < 2) return;
  out += fmt::format("<{} points=\"{}\" fill=\"none\" {} stroke-width=\"{}\"", line.closed ? "polygon" : "polyline",
                     svg_points(line.points), paint("stroke", color), number(line.width));
  if (line.dash > 0) out += fmt::format(" stroke-dasharray=\"{}\"", number(line.dash));
  out += "/>";
}

void write_shape(std::string& out, const Text& text, std::string_view color) {
  if (text.text.empty()) return;
  constexpr float kBaseline = 0.95f;  // relative to the size, below the top of a line
  const float px = svg_text_px(text.size);
  const std::string_view anchor = text.align == Align::left     ? ""
                                  : text.align == Align::centre ? " text-anchor=\"middle\""
                                                                : " text-anchor=\"end\"";
  out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{} {}>{}</text>", number(text.at.x),
                     number(text.at.y + px * kBaseline), number(px), anchor, paint("fill", color), escaped(text.text));
}

/// Returns the width of a character in a browser's sans-serif font, in thousandths of the font size.
int width_of(char32_t c) {
  if (c >= 0x80) return c >= 0x2E80 && c < 0xFFE6 ? 1000 : 600;
  constexpr std::string_view kNarrow = "ijl.,:;'|!I";
  constexpr std::string_view kSlim = "ftr()[]{}/\\-\"` ";
  constexpr std::string_view kWide = "mwMW@%";
  const char letter = static_cast<char>(c);
  if (kNarrow.find(letter) != std::string_view::npos) return 280;
  if (kSlim.find(letter) != std::string_view::npos) return 360;
  if (kWide.find(letter) != std::string_view::npos) return 880;
  return letter >= 'A' && letter <= 'Z' ? 690 : 570;
}

}  // namespace

std::string SvgColors::property_of(Color light, Color dark) {
  return fmt::format("c{}", known_.try_emplace({light, dark}, known_.size()).first->second);
}

void SvgColors::write_properties(std::string& out, bool dark) const {
  for (const auto& [pair, index] : known_)
    out += fmt::format("--c{}:{};", index, hex_of(dark ? pair.second : pair.first));
}

void write_svg(std::string& out, const Drawing& light, const Drawing& dark, SvgColors& colors, std::string_view title) {
  out +=
      fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">",
                  number(light.width), number(light.height), number(light.width), number(light.height), escaped(title));
  const bool alike = light.shapes.size() == dark.shapes.size();
  for (std::size_t i = 0; i < light.shapes.size(); ++i) {
    const Color own = color_of(light.shapes[i]);
    const std::string color = colors.property_of(own, alike ? color_of(dark.shapes[i]) : own);
    std::visit([&](const auto& shape) { write_shape(out, shape, color); }, light.shapes[i]);
  }
  out += "</svg>";
}

float svg_text_px(TextSize size) { return size == TextSize::small ? 12.0f : size == TextSize::normal ? 14.0f : 19.0f; }

float svg_text_width(std::string_view words, TextSize size) {
  int width = 0;
  for (std::size_t i = 0; i < words.size();) {
    const auto lead = static_cast<unsigned char>(words[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = lead;
    if (length > 1) c = lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < words.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(words[i + k]) & 0x3Fu);
    width += width_of(c);
    i += length;
  }
  return static_cast<float>(width) / 1000 * svg_text_px(size);
}

ChartStyle svg_style(scene::Theme theme) {
  ChartStyle style;
  style.theme = theme;
  style.ground = scene::theme_colors(theme).ground;
  style.measure = svg_text_width;
  style.small_height = 16;
  style.normal_height = 19;
  style.large_height = 25;
  return style;
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace warpscope::charts
