#include "app/ui/timeline/time_strips.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/timeline_geometry.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "render/scene/ruler.hpp"

namespace warpscope::ui {
namespace {

constexpr double kTickSpacing = 128;  // grid px between labeled ticks

}  // namespace

void StepsStripView::draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  boxes_.clear();
  if (!state.profile() || size.y <= 0) return;
  boxes_ = scene::make_steps_strip(*state.profile(), state.view(), ImGui::CalcTextSize("0").x);
  ImGui::SetCursorScreenPos(at);
  const bool clicked = ImGui::InvisibleButton("##steps", size);
  const bool hovered = ImGui::IsItemHovered();
  const double mouse = ImGui::GetIO().MousePos.x - at.x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  const std::vector<trace::StepGroup>& steps = state.profile()->steps;
  for (const scene::StepBox& box : boxes_) {
    const bool under = hovered && mouse >= box.x0 && mouse < box.x1;
    const Interval time{steps[box.first].time.begin, steps[box.last - 1].time.end};
    const bool marked = state.range() && state.range()->all_rows && state.range()->time == time;
    const float gap = box.x1 - box.x0 > app.px(4) ? app.px(1) : 0;
    const ImVec2 a(at.x + to_float(box.x0), at.y + app.px(2));
    const ImVec2 b(at.x + to_float(box.x1) - gap, at.y + size.y - app.px(2));
    list.AddRectFilled(a, b,
                       marked  ? faded(app.theme.accent, 0.35f)
                       : under ? app.theme.line
                               : app.theme.raised,
                       app.px(3));
    if (!box.label.empty()) {
      const float width = ImGui::CalcTextSize(box.label.c_str()).x;
      const float x = std::floor((a.x + b.x - width) / 2);
      if (x > a.x && x + width < b.x)
        list.AddText({x, at.y + std::floor((size.y - ImGui::GetFontSize()) / 2)},
                     marked || under ? app.theme.text : app.theme.muted, box.label.c_str());
    }
    if (!under) continue;
    std::string title(state.profile()->names().view(steps[box.first].name));
    if (box.last - box.first > 1)
      title += " to " + std::string(state.profile()->names().view(steps[box.last - 1].name));
    tooltip(app, title, format_duration(time.length()) + " on the hosts of all ranks",
            "Click to mark it and zoom in; N and P go to the next and previous step");
    if (!clicked) continue;
    if (box.last - box.first == 1) {
      show_step(state, box.first);
    } else {
      state.move(state.target().fitted(time, 0.01), Pace::jump);
    }
  }
  list.PopClipRect();
}

void draw_ruler(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size,
                std::optional<double> pointer_x) {
  if (!state.profile()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  ImFont& font = *app.fonts.mono;
  const float text_y = at.y + std::floor((size.y - font.FontSize) / 2) - app.px(1);
  const float bottom = at.y + size.y;
  std::string pointer;
  float pointer_from = 0;
  float pointer_to = -1;
  const scene::Ruler ruler = scene::make_ruler(state.view(), state.profile()->span.begin, kTickSpacing * app.px.scale);
  if (pointer_x) {
    const Ns time = state.view().to_time(*pointer_x) - state.profile()->span.begin;
    pointer = format_time_at(time, std::max<Ns>(1, ruler.step / 100));
    const float width = text_width(font, pointer);
    const float pad = app.px(6);
    const float x = std::clamp(at.x + to_float(*pointer_x) - width / 2, at.x + pad,
                               std::max(at.x + pad, at.x + size.x - width - pad));
    pointer_from = std::floor(x - pad);
    pointer_to = std::floor(x + width + pad);
  }
  if (state.range() && state.range()->all_rows) {
    const double x0 = std::clamp(state.view().to_px(state.range()->time.begin), 0.0, state.width());
    const double x1 = std::clamp(state.view().to_px(state.range()->time.end), 0.0, state.width());
    list.AddRectFilled({at.x + to_float(x0), at.y}, {at.x + to_float(x1), bottom}, app.theme.range);
  }
  float taken = -1e9f;
  for (const scene::Tick& tick : ruler.ticks) {
    const float x = std::floor(at.x + to_float(tick.x));
    list.AddRectFilled({x, bottom - app.px(tick.labelled ? 8 : 4)}, {x + app.px(1), bottom},
                       tick.labelled ? app.theme.muted : app.theme.line);
    if (!tick.labelled) continue;
    const float from = x + app.px(4);
    const float to = from + text_width(font, tick.label);
    if (from < taken || from < at.x || (from < pointer_to && to > pointer_from) || to > at.x + size.x) continue;
    draw_text(list, font, {from, text_y}, app.theme.muted, tick.label);
    taken = to + app.px(8);
  }
  if (pointer_x) {
    list.AddRectFilled({pointer_from, at.y + app.px(2)}, {pointer_to, bottom - app.px(2)}, app.theme.raised, app.px(4));
    draw_text(list, font, {pointer_from + app.px(6), text_y}, app.theme.text, pointer);
  }
  list.PopClipRect();
  list.AddRectFilled({at.x, bottom - app.px(1)}, {at.x + size.x, bottom}, app.theme.line);
}

}  // namespace warpscope::ui
