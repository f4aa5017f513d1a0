#include "render/charts/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpscope::charts {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr double kArcStep = 0.06;  // radians between points of an outline

Polyline outline_of(const Sector& s) {
  Polyline line;
  line.closed = true;
  const int steps = std::max(1, static_cast<int>(std::ceil((s.end - s.begin) / kArcStep)));
  const auto angle = [&](int i) { return s.begin + (s.end - s.begin) * i / steps; };
  for (int i = 0; i <= steps; ++i) line.points.push_back(on_circle(s.centre, s.outer, angle(i)));
  const bool whole = s.end - s.begin > 2 * std::numbers::pi - 1e-6;
  if (whole) return line;
  if (s.inner <= 0) {
    line.points.push_back(s.centre);
  } else {
    for (int i = steps; i >= 0; --i) line.points.push_back(on_circle(s.centre, s.inner, angle(i)));
  }
  return line;
}

Polyline outline_of(const Box& b) {
  Polyline line;
  line.closed = true;
  line.points = {{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}};
  return line;
}

}  // namespace

bool Sector::contains(Point p) const {
  const double dx = p.x - centre.x;
  const double dy = centre.y - p.y;
  const double distance = std::hypot(dx, dy);
  if (distance < inner || distance > outer) return false;
  constexpr double kTurn = 2 * std::numbers::pi;
  double angle = std::atan2(dx, dy);
  while (angle < begin) angle += kTurn;
  return angle < end;
}

std::optional<std::uint32_t> Drawing::hit(Point p) const {
  for (auto region = hits.rbegin(); region != hits.rend(); ++region)
    if (std::visit([p](const auto& where) { return where.contains(p); }, region->where)) return region->item;
  return std::nullopt;
}

std::vector<Polyline> Drawing::outlines(std::uint32_t item, Color color, float line_width) const {
  std::vector<Polyline> lines;
  for (const HitRegion& region : hits) {
    if (region.item != item) continue;
    lines.push_back(std::visit([](const auto& where) { return outline_of(where); }, region.where));
    lines.back().color = color;
    lines.back().width = line_width;
  }
  return lines;
}

float ChartStyle::px(float n) const {
  const float pixels = std::round(n * scale);
  return n > 0 && pixels < 1 ? 1.0f : pixels;
}

float ChartStyle::line_height(TextSize size) const {
  if (size == TextSize::normal) return normal_height;
  return size == TextSize::small ? small_height : large_height;
}

namespace {

/// Returns the start of each letter of `words`.
std::vector<std::size_t> letters_of(std::string_view words) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < words.size(); ++i)
    if ((static_cast<unsigned char>(words[i]) & 0xC0) != 0x80) starts.push_back(i);
  return starts;
}

/// Returns cut(n) for the greatest number n of letters that fits; "" if not even one fits.
template <class Cut>
std::string longest_fitting(std::size_t letters, float width, TextSize size, const ChartStyle& style, Cut cut) {
  std::size_t fits = 0;
  std::size_t fails = letters;
  while (fits + 1 < fails) {
    const std::size_t middle = (fits + fails) / 2;
    (style.measure(cut(middle), size) <= width ? fits : fails) = middle;
  }
  return fits == 0 ? std::string() : cut(fits);
}

std::string with_ellipsis(std::string_view begin) {
  while (begin.ends_with(' ')) begin.remove_suffix(1);
  return std::string(begin) + std::string(kEllipsis);
}

}  // namespace

std::string fit_label(std::string_view words, float width, TextSize size, const ChartStyle& style) {
  if (style.measure(words, size) <= width) return std::string(words);
  const std::vector<std::size_t> starts = letters_of(words);
  return longest_fitting(starts.size(), width, size, style, [&](std::size_t kept) {
    return with_ellipsis(words.substr(0, kept < starts.size() ? starts[kept] : words.size()));
  });
}

std::string fit_both_ends(std::string_view words, float width, TextSize size, const ChartStyle& style) {
  if (style.measure(words, size) <= width) return std::string(words);
  const std::vector<std::size_t> starts = letters_of(words);
  return longest_fitting(starts.size(), width, size, style, [&](std::size_t kept) {
    const std::size_t end = kept / 2;
    std::string_view tail = end == 0 ? std::string_view() : words.substr(starts[starts.size() - end]);
    while (tail.starts_with(' ')) tail.remove_prefix(1);
    return with_ellipsis(words.substr(0, starts[kept - end])) + std::string(tail);
  });
}

}  // namespace warpscope::charts
