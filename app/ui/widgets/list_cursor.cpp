#include "app/ui/widgets/list_cursor.hpp"

#include <imgui.h>

#include <algorithm>

namespace warpscope::ui {

void ListCursor::update(int count) {
  moved_ = entered_ = false;
  at_ = std::min(at_, count - 1);
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) return;
  int by = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++by;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --by;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by += kPage;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by -= kPage;
  const int to = std::clamp(at_ + by, kNone, count - 1);
  moved_ = to != at_;
  at_ = to;
  entered_ =
      at_ != kNone && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
}

void ListCursor::mark(const AppContext& app, int line) const {
  if (line != at_) return;
  // Items may be as wide as their window, which clips anything on its edge.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin();
  const ImVec2 high = list.GetClipRectMax();
  const ImVec2 from(std::max(ImGui::GetItemRectMin().x, low.x), std::max(ImGui::GetItemRectMin().y, low.y));
  const ImVec2 to(std::min(ImGui::GetItemRectMax().x, high.x), std::min(ImGui::GetItemRectMax().y, high.y));
  list.AddRect(from, to, app.theme.accent, app.px(2), 0, app.px(1));
  if (moved_) ImGui::SetScrollHereY();
}

}  // namespace warpscope::ui
