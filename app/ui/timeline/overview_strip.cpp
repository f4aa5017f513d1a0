#include "app/ui/timeline/overview_strip.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/timeline/timeline_geometry.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "render/scene/ruler.hpp"
#include "render/scene/steps_strip.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPad = 4;  // above and below the strips

/// Visible window on the overview, px from its left edge, at least 2 px wide.
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
  const float pad = app.px(kPad);
  const ImVec2 inner(at.x, at.y + pad);
  const ImVec2 room(size.x, std::max(app.px(8), size.y - 2 * pad));
  const scene::Overview& overview =
      scene_.update(state.profile(), room.x, static_cast<int>(room.y), app.px.scale, state.highlight());
  if (drawn_ != scene_.revision() || theme_ != app.theme.kind) {
    drawn_ = scene_.revision();
    theme_ = app.theme.kind;
    list_.clear();
    scene::draw_overview(overview, theme_, 0, static_cast<int>(room.y), app.px.scale, list_);
    ++revision_;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  rect_canvas_.add(list, list_, revision_, inner, room, app.px.scale);
  drag(app, state, overview, at, size);
  draw_window(app, state, overview.view, at, size);
  list.AddRectFilled({at.x, at.y + size.y - app.px(1)}, {at.x + size.x, at.y + size.y}, app.theme.line);
}

OverviewStripView::Grip OverviewStripView::grip_at(const AppContext& app, const TimelineState& state,
                                                   const scene::TimeView& whole, double x) const {
  const Window window(state.view(), whole);
  const double reach = app.px(5);
  // Dragging the middle of a narrow window moves it; its edges are grabbed from outside.
  const double inside = std::min(reach, (window.x1 - window.x0) / 4);
  if (x >= window.x0 - reach && x < window.x0 + inside) return Grip::left;
  if (x > window.x1 - inside && x <= window.x1 + reach) return Grip::right;
  return x >= window.x0 && x <= window.x1 ? Grip::window : Grip::none;
}

void OverviewStripView::drag(AppContext& app, TimelineState& state, const scene::Overview& overview, ImVec2 at,
                             ImVec2 size) {
  const scene::TimeView& whole = overview.view;
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("##overview", size);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = io.MousePos.x - at.x;
  if (ImGui::IsItemActivated()) {
    const double press = io.MouseClickedPos[0].x - at.x;
    grip_ = grip_at(app, state, whole, press);
    state.move(state.view(), Pace::jump);
    state.hold(true);
    if (grip_ == Grip::none) {  // outside the window: center it here
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
  draw_tooltip(app, state, overview, x, io.MousePos.y - at.y - app.px(kPad),
               shown == Grip::window ? "Drag to move the view"
               : shown == Grip::none ? "Click to move the view here"
                                     : "Drag to resize the view");
}

void OverviewStripView::draw_tooltip(const AppContext& app, const TimelineState& state, const scene::Overview& overview,
                                     double x, double y, std::string_view further) const {
  const trace::Profile& profile = *state.profile();
  const Ns time = overview.view.to_time(x);
  std::string title = format_time_at(time - profile.span.begin, scene::nice_step(overview.view.ns_per_px()));
  if (const auto step = scene::step_at(profile, time))
    title += "  " + std::string(profile.names().view(profile.steps[*step].name));
  std::string facts;
  for (const scene::OverviewStrip& strip : overview.strips) {
    if (y < strip.y || y >= strip.y + strip.height || x < 0 || x >= static_cast<double>(strip.shares.size())) continue;
    facts = profile.nodes[strip.node].label + " is busy for " + format_share(strip.shares[static_cast<std::size_t>(x)]);
  }
  tooltip(app, title, facts, further);
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

}  // namespace warpscope::ui
