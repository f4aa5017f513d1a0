#include "app/ui/timeline/track_scrollbar.hpp"

#include <algorithm>

namespace warpscope::ui {
namespace {

struct Thumb {
  float top;
  float height;
  double per_px;  // scroll distance per px of the bar

  Thumb(const AppContext& app, const TimelineState& state, float room) {
    const double all = state.max_scroll() + state.height();
    height = std::max(app.px(24), static_cast<float>(static_cast<double>(room) * state.height() / all));
    const double free = std::max(1.0, static_cast<double>(room - height));
    per_px = state.max_scroll() / free;
    top = static_cast<float>(state.scroll() / std::max(1e-9, per_px));
  }
};

}  // namespace

void TrackScrollbar::interact(const AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  hot_ = false;
  if (state.max_scroll() <= 0) return;
  const float width = app.px(kWidth);
  ImGui::SetCursorScreenPos({at.x + size.x - width, at.y});
  ImGui::InvisibleButton("##tracks-scroll", {width, std::max(1.0f, size.y)});
  hot_ = ImGui::IsItemHovered() || ImGui::IsItemActive();
  const ImGuiIO& io = ImGui::GetIO();
  const Thumb thumb(app, state, size.y);
  if (ImGui::IsItemActivated()) {
    const float press = io.MouseClickedPos[0].y - at.y;
    if (press < thumb.top || press > thumb.top + thumb.height)
      state.scroll_to((press - thumb.height / 2) * thumb.per_px, Pace::at_once);
    grabbed_scroll_ = state.target_scroll();
  }
  if (ImGui::IsItemActive())
    state.scroll_to(grabbed_scroll_ + (io.MousePos.y - io.MouseClickedPos[0].y) * thumb.per_px, Pace::at_once);
}

void TrackScrollbar::draw(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size) const {
  if (state.max_scroll() <= 0) return;
  const Thumb thumb(app, state, size.y);
  const float width = app.px(hot_ ? 8 : 4);
  const float right = at.x + size.x - app.px(1);
  ImGui::GetWindowDrawList()->AddRectFilled({right - width, at.y + thumb.top}, {right, at.y + thumb.top + thumb.height},
                                            faded(app.theme.muted, hot_ ? 0.8f : 0.5f), width / 2);
}

}  // namespace warpscope::ui
