#include "app/ui/widgets/icons.hpp"

#include <array>
#include <cmath>
#include <initializer_list>

namespace warpscope::ui {
namespace {

/// Draws on a square of 16 units; strokes are 1.5 units wide, at least 1 px.
class Pen {
 public:
  Pen(ImDrawList& list, ImVec2 at, float size, scene::Color color)
      : list_(list), at_(at), unit_(size / 16), color_(color), stroke_(std::fmax(1.0f, 1.4f * size / 16)) {}

  void lines(std::initializer_list<ImVec2> points, bool closed = false) const {
    list_.PathClear();
    for (const ImVec2& point : points) list_.PathLineTo(place(point));
    list_.PathStroke(color_, closed ? ImDrawFlags_Closed : ImDrawFlags_None, stroke_);
  }
  void area(std::initializer_list<ImVec2> points) const {
    list_.PathClear();
    for (const ImVec2& point : points) list_.PathLineTo(place(point));
    list_.PathFillConvex(color_);
  }
  void box(float x0, float y0, float x1, float y1, bool filled = false) const {
    if (filled) {
      list_.AddRectFilled(place({x0, y0}), place({x1, y1}), color_, unit_);
    } else {
      list_.AddRect(place({x0, y0}), place({x1, y1}), color_, 1.5f * unit_, 0, stroke_);
    }
  }
  void ring(float x, float y, float radius) const {
    list_.AddCircle(place({x, y}), radius * unit_, color_, 0, stroke_);
  }
  void dot(float x, float y, float radius) const { list_.AddCircleFilled(place({x, y}), radius * unit_, color_); }

 private:
  [[nodiscard]] ImVec2 place(ImVec2 p) const { return {at_.x + p.x * unit_, at_.y + p.y * unit_}; }

  ImDrawList& list_;
  ImVec2 at_;
  float unit_;
  scene::Color color_;
  float stroke_;
};

void draw_gear(const Pen& pen) {
  pen.ring(8, 8, 2.5f);
  for (int i = 0; i < 8; ++i) {
    const float angle = static_cast<float>(i) * 0.7853982f;
    const float x = std::cos(angle);
    const float y = std::sin(angle);
    pen.lines({{8 + 4.3f * x, 8 + 4.3f * y}, {8 + 6.3f * x, 8 + 6.3f * y}});
  }
  pen.ring(8, 8, 4.7f);
}

void draw_page_icon(const Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::load:
    case Icon::folder:
      return pen.lines({{2, 13}, {2, 3.5f}, {6.2f, 3.5f}, {7.8f, 5.5f}, {14, 5.5f}, {14, 13}}, true);
    case Icon::dashboard:
      pen.box(2, 2, 7, 9);
      pen.box(9, 2, 14, 6);
      pen.box(2, 11, 7, 14);
      pen.box(9, 8, 14, 14);
      break;
    case Icon::timeline:
      pen.box(2, 2.5f, 9, 5.5f, true);
      pen.box(5, 6.5f, 14, 9.5f, true);
      pen.box(3, 10.5f, 7.5f, 13.5f, true);
      break;
    case Icon::analysis:
      pen.box(2, 8, 4.5f, 14, true);
      pen.box(6.75f, 2, 9.25f, 14, true);
      pen.box(11.5f, 5, 14, 14, true);
      break;
    case Icon::findings:
      return pen.lines({{3, 8}, {6.5f, 11.5f}, {13, 4.5f}});
    case Icon::query:
      pen.lines({{3, 4}, {7, 8}, {3, 12}});
      pen.lines({{8, 12}, {13, 12}});
      break;
    case Icon::operators:
      for (const float y : {4.0f, 8.0f, 12.0f}) pen.lines({{2, y}, {14, y}});
      break;
    case Icon::ranks:
      pen.box(2, 3, 9, 5, true);
      pen.box(2, 7, 14, 9, true);
      pen.box(2, 11, 7, 13, true);
      break;
    case Icon::information:
      pen.ring(8, 8, 6);
      pen.dot(8, 5, 1);
      pen.lines({{8, 7.5f}, {8, 11.5f}});
      break;
    case Icon::settings:
      return draw_gear(pen);
    default:
      break;
  }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 at, float size, scene::Color color) {
  const Pen pen(list, at, size, color);
  switch (icon) {
    case Icon::chevron_right:
      return pen.lines({{6, 4}, {10, 8}, {6, 12}});
    case Icon::chevron_left:
      return pen.lines({{10, 4}, {6, 8}, {10, 12}});
    case Icon::chevron_down:
      return pen.lines({{4, 6}, {8, 10}, {12, 6}});
    case Icon::chevron_up:
      return pen.lines({{4, 10}, {8, 6}, {12, 10}});
    case Icon::close:
      pen.lines({{4, 4}, {12, 12}});
      pen.lines({{12, 4}, {4, 12}});
      break;
    case Icon::warning:
      pen.lines({{8, 2}, {14.5f, 13.5f}, {1.5f, 13.5f}}, true);
      pen.lines({{8, 6}, {8, 9.5f}});
      pen.dot(8, 11.5f, 0.9f);
      break;
    case Icon::error:
      pen.ring(8, 8, 6);
      pen.lines({{8, 4.5f}, {8, 8.8f}});
      pen.dot(8, 11.2f, 0.9f);
      break;
    case Icon::file:
      return pen.lines({{3.5f, 2}, {9.5f, 2}, {12.5f, 5}, {12.5f, 14}, {3.5f, 14}}, true);
    case Icon::fold:
      pen.box(2, 3, 14, 13);
      pen.lines({{6, 3}, {6, 13}});
      break;
    case Icon::pin:
      pen.area({{5, 2}, {11, 2}, {10, 7}, {12, 9}, {4, 9}, {6, 7}});
      pen.lines({{8, 9}, {8, 14}});
      break;
    case Icon::eye:
      pen.lines({{1.5f, 8}, {4.5f, 5}, {8, 4}, {11.5f, 5}, {14.5f, 8}, {11.5f, 11}, {8, 12}, {4.5f, 11}}, true);
      pen.dot(8, 8, 2);
      break;
    case Icon::plus:
      pen.lines({{8, 3}, {8, 13}});
      pen.lines({{3, 8}, {13, 8}});
      break;
    case Icon::minus:
      return pen.lines({{3, 8}, {13, 8}});
    case Icon::eject:
      pen.lines({{8, 3}, {13, 9}, {3, 9}}, true);
      pen.lines({{3, 12.5f}, {13, 12.5f}});
      break;
    case Icon::menu:
      for (const float y : {4.0f, 8.0f, 12.0f}) pen.lines({{2.5f, y}, {13.5f, y}});
      break;
    case Icon::whole:
      pen.lines({{2.5f, 3}, {2.5f, 13}});
      pen.lines({{13.5f, 3}, {13.5f, 13}});
      pen.lines({{5, 8}, {11, 8}});
      pen.lines({{7, 6}, {5, 8}, {7, 10}});
      pen.lines({{9, 6}, {11, 8}, {9, 10}});
      break;
    case Icon::more:
      for (const float x : {3.0f, 8.0f, 13.0f}) pen.dot(x, 8, 1.3f);
      break;
    case Icon::enlarge:
      pen.lines({{9.5f, 3}, {13, 3}, {13, 6.5f}});
      pen.lines({{13, 3}, {9, 7}});
      pen.lines({{6.5f, 13}, {3, 13}, {3, 9.5f}});
      pen.lines({{3, 13}, {7, 9}});
      break;
    case Icon::shrink:
      pen.lines({{13, 7}, {9, 7}, {9, 3}});
      pen.lines({{9, 7}, {13, 3}});
      pen.lines({{3, 9}, {7, 9}, {7, 13}});
      pen.lines({{7, 9}, {3, 13}});
      break;
    default:
      return draw_page_icon(pen, icon);
  }
}

}  // namespace warpscope::ui
