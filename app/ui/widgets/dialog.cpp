#include "app/ui/widgets/dialog.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::ui {

bool Dialog::begin(const AppContext& context, ImVec2 size, float top, bool modal) {
  just_opened_ = wanted_ && !shown_;
  if (just_opened_) ImGui::OpenPopup(id_);
  shown_ = wanted_;
  if (!wanted_) return false;

  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float margin = context.px(16);
  const ImVec2 cut{std::min(size.x, display.x - 2 * margin), std::min(size.y, display.y - 2 * margin)};
  const float y = top < 0 ? std::floor((display.y - cut.y) / 2) : std::min(top, display.y - cut.y - margin);
  ImGui::SetNextWindowPos({std::floor((display.x - cut.x) / 2), y});
  ImGui::SetNextWindowSize(cut);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(16), context.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, context.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, context.px(8));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, context.theme.panel);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  const bool visible = modal ? ImGui::BeginPopupModal(id_, nullptr, kFlags) : ImGui::BeginPopup(id_, kFlags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  if (!visible) {
    wanted_ = shown_ = false;  // closed by a click outside
    return false;
  }
  if (modal && !just_opened_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 extent = ImGui::GetWindowSize();
    if (!ImGui::IsMouseHoveringRect(at, {at.x + extent.x, at.y + extent.y}, false)) close();
  }
  return true;
}

void Dialog::end() {
  if (!wanted_) {
    ImGui::CloseCurrentPopup();
    shown_ = false;
  }
  ImGui::EndPopup();
}

}  // namespace warpscope::ui
