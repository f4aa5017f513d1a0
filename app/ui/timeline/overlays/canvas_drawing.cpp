#include "app/ui/timeline/overlays/canvas_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/scene/hit_test.hpp"

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
  float along = 0;  // distance since the last dash started
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

void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color) {
  const float left = std::floor(x - width / 2 + 0.5f);
  list.AddRectFilled({left, y0}, {left + width, y1}, color);
}

void outline(const OverlayFrame& frame, const scene::Box& box, float thickness, scene::Color color) {
  const auto& [app, input, list, at, over] = frame;
  const float pinned = to_float(input.layout->pinned_height());
  const float width = to_float(input.view.width());
  const bool below = box.y0 >= input.layout->pinned_height() - 0.5;
  if (box.y1 <= 0 || box.y0 >= input.height || box.x1 < 0 || box.x0 > input.view.width()) return;
  // Slices narrower than their outline still get a visible outline; edges beyond the canvas are clamped.
  const float x0 = std::max(to_float(std::max(box.x0, -16.0)), -16.0f);
  const float x1 = std::max(x0 + app.px(3), to_float(std::min(box.x1, input.view.width() + 16)));
  list.PushClipRect({at.x, at.y + (below ? pinned : 0.0f)}, {at.x + width, at.y + to_float(input.height)}, true);
  const float half = thickness / 2;
  list.AddRect({std::floor(at.x + x0) - half, at.y + to_float(box.y0) - half},
               {std::ceil(at.x + x1) + half, at.y + to_float(box.y1) + half}, color, app.px(2), 0, thickness);
  list.PopClipRect();
}

void corner_note(const OverlayFrame& frame, std::string_view words) {
  const auto& [app, input, list, at, over] = frame;
  const char* const begin = words.data();
  const char* const end = begin + words.size();
  const ImVec2 size = ImGui::CalcTextSize(begin, end);
  const ImVec2 place(at.x + to_float(input.view.width()) - size.x - app.px(16),
                     at.y + to_float(input.height) - size.y - app.px(12));
  list.AddRectFilled({place.x - app.px(8), place.y - app.px(4)},
                     {place.x + size.x + app.px(8), place.y + size.y + app.px(4)}, app.theme.raised, app.px(4));
  list.AddText(place, app.theme.muted, begin, end);
}

void draw_arrow(const OverlayFrame& frame, const scene::Arrow& arrow, const ArrowLook& look) {
  const AppContext& app = frame.app;
  ImDrawList& list = frame.list;
  const auto place = [at = frame.at](scene::Point p) { return ImVec2(at.x + to_float(p.x), at.y + to_float(p.y)); };
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

std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice) {
  std::vector<scene::Box> boxes;
  if (!input.profile || !input.layout || slice.rank >= input.profile->ranks.size()) return boxes;
  if (const auto box = scene::box_of_slice(input, slice)) boxes.push_back(*box);
  const trace::Rank& rank = *input.profile->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  for (const scene::Row& row : input.layout->pinned()) {
    if (row.kind != scene::RowKind::lane || row.rank != slice.rank || row.item != place.lane) continue;
    const auto time = scene::recorded_time(rank, place);
    if (!time) continue;
    boxes.push_back({input.view.to_px(time->begin), static_cast<double>(row.y), input.view.to_px(time->end),
                     static_cast<double>(row.y + scene::content_height(row.height, input.scale))});
  }
  return boxes;
}

}  // namespace warpscope::ui
