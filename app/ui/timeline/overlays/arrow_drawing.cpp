#include "app/ui/timeline/overlays/arrow_drawing.hpp"

#include <array>
#include <cmath>

namespace warpscope::ui {
namespace {

constexpr float kDash = 5;  // px at 1×
constexpr float kGap = 4;
constexpr int kPieces = 48;  // segments of a dashed curve

ImVec2 between(ImVec2 a, ImVec2 b, float share) { return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share}; }

ImVec2 on_curve(const std::array<ImVec2, 4>& p, float t) {
  const ImVec2 a = between(between(p[0], p[1], t), between(p[1], p[2], t), t);
  const ImVec2 b = between(between(p[1], p[2], t), between(p[2], p[3], t), t);
  return between(a, b, t);
}

void dashed_curve(ImDrawList& list, const std::array<ImVec2, 4>& points, scene::Color color, float thickness,
                  float dash, float gap) {
  float along = 0;  // length since the last dash started
  ImVec2 before = points[0];
  list.PathClear();
  list.PathLineTo(before);
  for (int piece = 1; piece <= kPieces; ++piece) {
    const ImVec2 next = on_curve(points, static_cast<float>(piece) / kPieces);
    const float length = std::hypot(next.x - before.x, next.y - before.y);
    for (float done = 0; done < length;) {
      const bool on = along < dash;
      const float step = std::min((on ? dash : dash + gap) - along, length - done);
      done += step;
      along += step;
      const ImVec2 here = between(before, next, length > 0 ? done / length : 1);
      if (on) list.PathLineTo(here);
      if (along >= dash && on) list.PathStroke(color, 0, thickness);
      if (along >= dash + gap) {
        along = 0;
        list.PathLineTo(here);
      }
    }
    before = next;
  }
  list.PathStroke(color, 0, thickness);
}

}  // namespace

void draw_arrow(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::Arrow& arrow, const ArrowLook& look) {
  const auto place = [at](scene::Point p) { return ImVec2(at.x + to_float(p.x), at.y + to_float(p.y)); };
  const float thickness = app.px(look.thickness);
  const float head = app.px(look.head);
  const ImVec2 tip = place(arrow.to);
  const ImVec2 d(to_float(arrow.direction.x), to_float(arrow.direction.y));
  const ImVec2 neck(tip.x - d.x * head, tip.y - d.y * head);
  const ImVec2 left(neck.x - d.y * head * 0.5f, neck.y + d.x * head * 0.5f);
  const ImVec2 right(neck.x + d.y * head * 0.5f, neck.y - d.x * head * 0.5f);
  const std::array<ImVec2, 4> points{place(arrow.from), place(arrow.control1), place(arrow.control2), neck};
  if (look.casing != 0) {
    list.AddBezierCubic(points[0], points[1], points[2], points[3], look.casing, thickness + app.px(2));
    list.AddTriangle(tip, left, right, look.casing, app.px(2));
  }
  if (look.dashed)
    dashed_curve(list, points, look.color, thickness, app.px(kDash), app.px(kGap));
  else
    list.AddBezierCubic(points[0], points[1], points[2], points[3], look.color, thickness);
  list.AddTriangleFilled(tip, left, right, look.color);
  if (look.dot && arrow.from_end == scene::ArrowEnd::exact)
    list.AddCircleFilled(points[0], app.px(look.thickness + 1), look.color);
}

}  // namespace warpscope::ui
