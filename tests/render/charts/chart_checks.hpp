#pragma once
// Layout rules for every chart at every size: nothing extends beyond the drawing, labels do not touch each other, and
// labels do not cover data.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"
#include "tests/catch.hpp"

namespace warpscope::test {

/// Monospace text: 6, 8 and 12 px per character.
[[nodiscard]] inline charts::ChartStyle plain_style(scene::Theme theme = scene::Theme::dark) {
  charts::ChartStyle style;
  style.theme = theme;
  style.ground = scene::theme_colors(theme).panel;
  style.measure = [](std::string_view words, charts::TextSize size) {
    std::size_t characters = 0;
    for (const char c : words) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    const float each = size == charts::TextSize::small ? 6.0f : size == charts::TextSize::normal ? 8.0f : 12.0f;
    return each * static_cast<float>(characters);
  };
  return style;
}

template <class Shape>
[[nodiscard]] std::vector<Shape> shapes_of(const charts::Drawing& drawing) {
  std::vector<Shape> found;
  for (const charts::Shape& shape : drawing.shapes)
    if (const auto* one = std::get_if<Shape>(&shape)) found.push_back(*one);
  return found;
}

[[nodiscard]] inline std::vector<std::string> texts_of(const charts::Drawing& drawing) {
  std::vector<std::string> texts;
  for (const charts::Text& text : shapes_of<charts::Text>(drawing)) texts.push_back(text.text);
  return texts;
}

[[nodiscard]] inline bool has_text(const charts::Drawing& drawing, const std::string& wanted) {
  const std::vector<std::string> texts = texts_of(drawing);
  return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

/// Bounding box of a text.
[[nodiscard]] inline charts::Box bounds_of(const charts::Text& text, const charts::ChartStyle& style) {
  const float width = style.measure(text.text, text.size);
  float left = text.at.x;
  if (text.align == charts::Align::centre) left -= width / 2;
  if (text.align == charts::Align::right) left -= width;
  return {left, text.at.y, left + width, text.at.y + style.line_height(text.size)};
}

inline void check_sound(const charts::Drawing& drawing, const charts::ChartStyle& style) {
  constexpr float kSlack = 2.01f;  // half of the line width
  const charts::Box all{-kSlack, -kSlack, drawing.width + kSlack, drawing.height + kSlack};
  std::vector<charts::Box> texts;
  for (const charts::Shape& shape : drawing.shapes) {
    if (const auto* box = std::get_if<charts::FilledBox>(&shape)) {
      CHECK(all.contains(box->box));
      CHECK(box->box.width() >= 0);
      CHECK(box->box.height() >= 0);
    } else if (const auto* polygon = std::get_if<charts::Polygon>(&shape)) {
      CHECK(polygon->points.size() >= 3);
      for (const charts::Point p : polygon->points) CHECK(all.contains({p.x, p.y, p.x, p.y}));
    } else if (const auto* line = std::get_if<charts::Polyline>(&shape)) {
      CHECK(line->points.size() >= 2);
      for (const charts::Point p : line->points) CHECK(all.contains({p.x, p.y, p.x, p.y}));
    } else {
      const auto& text = std::get<charts::Text>(shape);
      if (text.text.empty()) continue;
      const charts::Box bounds = bounds_of(text, style);
      INFO(text.text);
      CHECK(all.contains(bounds));
      for (const charts::Box& other : texts) CHECK_FALSE(bounds.overlaps(other));
      texts.push_back(bounds);
    }
  }
}

}  // namespace warpscope::test
