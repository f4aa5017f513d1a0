#pragma once
// A chart as plain shapes in paint order, with regions that map the pointer to its items. It is built without a
// display, so tests can compare its numbers and any canvas can paint it. Coordinates are in output pixels from the
// chart's top left corner, with y pointing down.
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// Returns a point on a circle. `angle` is in radians, clockwise from the top.
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

/// A sector of a ring. Angles are in radians, clockwise from twelve o'clock, begin <= end <= begin + 2 pi.
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
  float radius = 0;  ///< corner radius
};

/// Convex and filled.
struct Polygon {
  std::vector<Point> points;
  Color color = 0;
};

struct Polyline {
  std::vector<Point> points;
  Color color = 0;
  float width = 1;
  float dash = 0;  ///< length of dashes and gaps; 0: solid
  bool closed = false;
};

enum class TextSize : std::uint8_t { small, normal, large };
enum class Align : std::uint8_t { left, centre, right };

/// `at.y` is the top of the line; `at.x` is its left end, middle or right end.
struct Text {
  Point at;
  std::string text;
  Color color = 0;
  TextSize size = TextSize::small;
  Align align = Align::left;
};

using Shape = std::variant<FilledBox, Polygon, Polyline, Text>;

/// A part of the picture that represents an item of the chart's input, such as a pie slice, a bar or a cell. An item
/// may have several regions (its sector and its legend row).
struct HitRegion {
  std::uint32_t item = 0;
  std::variant<Box, Sector> where;
};

struct Drawing {
  float width = 0;
  float height = 0;
  std::vector<Shape> shapes{};
  std::vector<HitRegion> hits{};
  Box plot{};  ///< area inside the axes, or around the pie

  void fill(const Box& box, Color color, float radius = 0) { shapes.emplace_back(FilledBox{box, color, radius}); }
  void line(std::vector<Point> points, Color color, float line_width, float dash = 0, bool closed = false) {
    shapes.emplace_back(Polyline{std::move(points), color, line_width, dash, closed});
  }
  void write(Point at, std::string text, Color color, TextSize size = TextSize::small, Align align = Align::left) {
    shapes.emplace_back(Text{at, std::move(text), color, size, align});
  }
  /// Returns the item at `p`; if regions overlap, the last one added. O(regions).
  [[nodiscard]] std::optional<std::uint32_t> hit(Point p) const;
  /// Returns the outlines of all regions of an item, which are drawn on top while the pointer hovers over it.
  [[nodiscard]] std::vector<Polyline> outlines(std::uint32_t item, Color color, float line_width) const;
};

/// Returns the width in px of one line of text.
using MeasureText = std::function<float(std::string_view, TextSize)>;

/// Appearance of a chart: theme colors, text, and output px per grid px.
struct ChartStyle {
  scene::Theme theme = scene::Theme::dark;
  float scale = 1;
  Color ground = 0;  ///< background of the chart, opaque
  MeasureText measure;
  float small_height = 14;   ///< line height, px
  float normal_height = 18;  ///< same
  float large_height = 24;   ///< same

  [[nodiscard]] const scene::ThemeColors& colors() const { return scene::theme_colors(theme); }
  [[nodiscard]] float px(float n) const;
  [[nodiscard]] float line_height(TextSize size) const;
};

/// Returns the longest prefix of `words` that fits in `width` px, with "…" if shortened; empty if not even "…" fits.
[[nodiscard]] std::string fit_label(std::string_view words, float width, TextSize size, const ChartStyle& style);
/// Same, but removes the middle, for names with a common prefix.
[[nodiscard]] std::string fit_both_ends(std::string_view words, float width, TextSize size, const ChartStyle& style);

}  // namespace warpscope::charts
