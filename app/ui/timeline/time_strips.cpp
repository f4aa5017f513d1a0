#include "app/ui/timeline/time_strips.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/timeline/focus.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/format.hpp"
#include "render/scene/ruler.hpp"

namespace warpscope::ui {
namespace {

constexpr double kTickSpacing = 128;  // grid px between labelled ticks

float to_float(double value) { return static_cast<float>(value); }

/// The view's window on the overview, px from its left edge, at least 2 px wide.
struct Window {
  double x0;
  double x1;

  Window(const scene::TimeView& view, const scene::TimeView& whole) {
    const Interval visible = view.visible();
    x0 = std::clamp(whole.to_px(visible.begin), 0.0, whole.width() - 2);
    x1 = std::clamp(whole.to_px(visible.end), x0 + 2, std::max(x0 + 2, whole.width()));
  }
};

}  // namespace

float OverviewStripView::height(const trace::Profile* profile) {
  const std::size_t nodes = profile == nullptr ? 1 : std::max<std::size_t>(1, profile->nodes.size());
  return 28 + 8 * to_float(static_cast<double>(std::min<std::size_t>(nodes, 6) - 1));
}

void OverviewStripView::draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  if (!state.profile()) return;
  const float pad = app.px(4);
  const ImVec2 inner(at.x, at.y + pad);
  const ImVec2 room(size.x, std::max(app.px(8), size.y - 2 * pad));
  const scene::Overview& overview = scene_.update(state.profile(), room.x, static_cast<int>(room.y), app.px.scale, state.highlight());
  if (of_ != state.profile() || highlight_ != state.highlight() || width_ != room.x || height_ != room.y ||
      theme_ != app.theme.kind) {
    of_ = state.profile();
    highlight_ = state.highlight();
    width_ = room.x;
    height_ = room.y;
    theme_ = app.theme.kind;
    list_.clear();
    scene::draw_overview(overview, theme_, 0, static_cast<int>(room.y), app.px.scale, list_);
    ++revision_;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  rect_canvas_.add(list, list_, revision_, inner, room, app.px.scale);
  drag(app, state, overview.view, at, size);
  draw_window(app, state, overview.view, at, size);
  list.AddRectFilled({at.x, at.y + size.y - app.px(1)}, {at.x + size.x, at.y + size.y}, app.theme.line);
}

OverviewStripView::Grip OverviewStripView::grip_at(const AppContext& app, const TimelineState& state,
                                                   const scene::TimeView& whole, double x) const {
  const Window window(state.view(), whole);
  const double reach = app.px(5);
  // A narrow window is grabbed in the middle: its edges are for the outside then.
  const double inside = std::min(reach, (window.x1 - window.x0) / 4);
  if (x >= window.x0 - reach && x < window.x0 + inside) return Grip::left;
  if (x > window.x1 - inside && x <= window.x1 + reach) return Grip::right;
  return x >= window.x0 && x <= window.x1 ? Grip::window : Grip::none;
}

void OverviewStripView::drag(AppContext& app, TimelineState& state, const scene::TimeView& whole, ImVec2 at,
                             ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("##overview", size);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = io.MousePos.x - at.x;
  if (ImGui::IsItemActivated()) {
    const double press = io.MouseClickedPos[0].x - at.x;
    grip_ = grip_at(app, state, whole, press);
    state.move(state.view(), Pace::jump);
    state.hold(true);
    if (grip_ == Grip::none) {  // beside the window: it comes here
      state.move(state.view().centred(whole.to_time(press)), Pace::at_once);
      grip_ = Grip::window;
    }
    grab_offset_ = press - whole.to_px(state.view().visible().begin);
  }
  if (ImGui::IsItemActive()) {
    const Interval visible = state.view().visible();
    if (grip_ == Grip::window)
      state.move(state.view().placed(whole.to_fine_time(x - grab_offset_), 0), Pace::at_once);
    else if (grip_ == Grip::left)
      state.move(state.view().fitted({std::min(whole.to_time(x), visible.end - 1), visible.end}, 0), Pace::at_once);
    else if (grip_ == Grip::right)
      state.move(state.view().fitted({visible.begin, std::max(whole.to_time(x), visible.begin + 1)}, 0), Pace::at_once);
  }
  if (ImGui::IsItemDeactivated()) {
    grip_ = Grip::none;
    state.hold(false);
  }
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const Grip shown = grip_ != Grip::none ? grip_ : grip_at(app, state, whole, x);
  if (shown == Grip::left || shown == Grip::right) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (io.MouseWheel != 0 && !ImGui::IsItemActive())
    state.move(state.target().zoomed(std::pow(1.25, io.MouseWheel),
                                     std::clamp(state.target().to_px(whole.to_time(x)), 0.0, state.width())),
               Pace::eased);
  if (ImGui::IsItemActive()) return;
  const Ns time = whole.to_time(x);
  std::string facts;
  if (const auto step = scene::step_at(*state.profile(), time))
    facts = std::string(state.profile()->names().view(state.profile()->steps[*step].name));
  tooltip(app, format_time_at(time - state.profile()->span.begin, scene::nice_step(whole.ns_per_px())), facts,
          shown == Grip::window ? "Drag moves the view" : shown == Grip::none ? "Click moves the view here" : "Drag resizes the view");
}

void OverviewStripView::draw_window(const AppContext& app, const TimelineState& state, const scene::TimeView& whole,
                                    ImVec2 at, ImVec2 size) const {
  const Window window(state.view(), whole);
  if (window.x0 <= 0 && window.x1 >= whole.width()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = at.x + to_float(std::floor(window.x0));
  const float right = at.x + to_float(std::ceil(window.x1));
  const float bottom = at.y + size.y - app.px(1);
  const scene::Color shade = faded(app.theme.ground, 0.6f);
  list.AddRectFilled(at, {left, bottom}, shade);
  list.AddRectFilled({right, at.y}, {at.x + size.x, bottom}, shade);
  list.AddRect({left, at.y + app.px(1)}, {right, bottom}, app.theme.accent, app.px(2), 0, app.px(1.5f));
  if (right - left < app.px(16)) return;
  const float middle = std::floor((at.y + bottom) / 2);
  for (const float x : {left, right})
    list.AddRectFilled({x - app.px(2), middle - app.px(6)}, {x + app.px(2), middle + app.px(6)}, app.theme.accent,
                       app.px(2));
}

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
    list.AddRectFilled(a, b, marked ? faded(app.theme.accent, 0.35f) : under ? app.theme.line : app.theme.raised, app.px(3));
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
    tooltip(app, title, format_duration(time.length()), "Click marks it and zooms to it; N and P go on and back");
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
  const auto measure = [&](const std::string& words) {
    return font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, words.data(), words.data() + words.size()).x;
  };
  std::string pointer;
  float pointer_from = 0;
  float pointer_to = -1;
  const scene::Ruler ruler = scene::make_ruler(state.view(), state.profile()->span.begin, kTickSpacing * app.px.scale);
  if (pointer_x) {
    const Ns time = state.view().to_time(*pointer_x) - state.profile()->span.begin;
    pointer = format_time_at(time, std::max<Ns>(1, ruler.step / 100));
    const float width = measure(pointer);
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
    const float to = from + measure(tick.label);
    if (from < taken || from < at.x || (from < pointer_to && to > pointer_from) || to > at.x + size.x) continue;
    list.AddText(&font, font.FontSize, {from, text_y}, app.theme.muted, tick.label.data(),
                 tick.label.data() + tick.label.size());
    taken = to + app.px(8);
  }
  if (pointer_x) {
    list.AddRectFilled({pointer_from, at.y + app.px(2)}, {pointer_to, bottom - app.px(2)}, app.theme.raised, app.px(4));
    list.AddText(&font, font.FontSize, {pointer_from + app.px(6), text_y}, app.theme.text, pointer.data(),
                 pointer.data() + pointer.size());
  }
  list.PopClipRect();
  list.AddRectFilled({at.x, bottom - app.px(1)}, {at.x + size.x, bottom}, app.theme.line);
}

}  // namespace warpscope::ui
