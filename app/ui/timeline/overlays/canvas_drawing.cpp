#include "app/ui/timeline/overlays/canvas_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/look/metrics.hpp"
#include "app/ui/look/theme.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color) {
  const float left = std::floor(x - width / 2 + 0.5f);
  list.AddRectFilled({left, y0}, {left + width, y1}, color);
}

void outline(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
             const scene::Box& box, float thickness, scene::Color color) {
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

void corner_note(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                 std::string_view words) {
  const char* const begin = words.data();
  const char* const end = begin + words.size();
  const ImVec2 size = ImGui::CalcTextSize(begin, end);
  const ImVec2 place(at.x + to_float(input.view.width()) - size.x - app.px(16),
                     at.y + to_float(input.height) - size.y - app.px(12));
  list.AddRectFilled({place.x - app.px(8), place.y - app.px(4)},
                     {place.x + size.x + app.px(8), place.y + size.y + app.px(4)}, app.theme.raised, app.px(4));
  list.AddText(place, app.theme.muted, begin, end);
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
