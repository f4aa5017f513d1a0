#pragma once
// A chart as plain shapes in paint order, with the regions that answer for its items under the pointer: made without a
// display, compared by tests as numbers, painted by whoever has a canvas. Coordinates are output pixels from the
// chart's top left corner, y downwards.
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/scene/palette.hpp"

namespace warpscope::charts {

using scene::Color;

struct Point {
  float x = 0;
  float y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

/// `angle` in radians, from the top clockwise.
[[nodiscard]] inline Point on_circle(Point centre, double radius, double angle) {
  return {centre.x + static_cast<float>(radius * std::sin(angle)),
          centre.y - static_cast<float>(radius * std::cos(angle))};
}

struct Box {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;

  [[nodiscard]] float width() const { return x1 - x0; }
  [[nodiscard]] float height() const { return y1 - y0; }
  [[nodiscard]] bool contains(Point p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
  [[nodiscard]] bool contains(const Box& b) const { return b.x0 >= x0 && b.x1 <= x1 && b.y0 >= y0 && b.y1 <= y1; }
  [[nodiscard]] bool overlaps(const Box& b) const { return x0 < b.x1 && b.x0 < x1 && y0 < b.y1 && b.y0 < y1; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// A piece of a ring. Angles in radians, clockwise from twelve o'clock, begin <= end <= begin + 2 pi.
struct Sector {
  Point centre;
  float inner = 0;
  float outer = 0;
  double begin = 0;
  double end = 0;

  [[nodiscard]] bool contains(Point p) const;
};

struct FilledBox {
  Box box;
  Color color = 0;
  float radius = 0;  ///< of its corners
};

/// Convex, filled.
struct Polygon {
  std::vector<Point> points;
  Color color = 0;
};

struct Polyline {
  std::vector<Point> points;
  Color color = 0;
  float width = 1;
  float dash = 0;  ///< length of a dash and of a gap; 0: solid
  bool closed = false;
};

enum class TextSize : std::uint8_t { small, normal, large };
enum class Align : std::uint8_t { left, centre, right };

/// `at`: top of the line; x is its left end, middle or right end.
struct Text {
  Point at;
  std::string text;
  Color color = 0;
  TextSize size = TextSize::small;
  Align align = Align::left;
};

using Shape = std::variant<FilledBox, Polygon, Polyline, Text>;

/// Part of the picture that stands for an item of the chart's input (a slice of a pie, a bar, a cell). An item may have
/// several (its sector and its line of the legend).
struct HitRegion {
  std::uint32_t item = 0;
  std::variant<Box, Sector> where;
};

struct Drawing {
  float width = 0;
  float height = 0;
  std::vector<Shape> shapes;
  std::vector<HitRegion> hits;
  Box plot{};  ///< inside of the axes, or around the pie

  /// The item at `p`; of several regions the last one added. O(regions).
  [[nodiscard]] std::optional<std::uint32_t> hit(Point p) const;
  /// Lines around all regions of an item: what a hover draws on top.
  [[nodiscard]] std::vector<Polyline> outlines(std::uint32_t item, Color color, float line_width) const;
};

/// Width in px of one line of text.
using MeasureText = std::function<float(std::string_view, TextSize)>;

/// How a chart looks where it is painted: the theme's colours, its text, and output px a grid px.
struct ChartStyle {
  scene::Theme theme = scene::Theme::dark;
  float scale = 1;
  Color ground = 0;  ///< what the chart is painted on, opaque
  MeasureText measure;
  float small_height = 14;   ///< of a line, px
  float normal_height = 18;  ///< same
  float large_height = 24;   ///< same

  [[nodiscard]] const scene::ThemeColors& colors() const { return scene::theme_colors(theme); }
  [[nodiscard]] float px(float n) const;
  [[nodiscard]] float line_height(TextSize size) const;
};

/// The box a text covers.
[[nodiscard]] Box bounds_of(const Text& text, const ChartStyle& style);
/// The longest beginning of `words` that fits `width` px, with "…" if it was cut; empty if not even that fits.
[[nodiscard]] std::string fit_label(std::string_view words, float width, TextSize size, const ChartStyle& style);
/// The same with as much of the end as of the beginning, of names that begin alike.
[[nodiscard]] std::string fit_both_ends(std::string_view words, float width, TextSize size, const ChartStyle& style);

}  // namespace warpscope::charts
