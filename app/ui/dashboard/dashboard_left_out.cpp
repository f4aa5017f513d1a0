// Panels left out of the grid: hidden panels, and panels without data in the profile.
#include <imgui.h>

#include "app/ui/dashboard/dashboard_page.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/small_controls.hpp"

namespace warpscope::ui {

std::vector<std::size_t> DashboardPage::shown() const {
  std::vector<std::size_t> shown = layout_.shown();
  std::erase_if(shown, [&](std::size_t index) { return is_absent(spec_of(layout_.panels()[index]), sources_); });
  return shown;
}

void DashboardPage::draw_hidden_menu() {
  if (!ImGui::BeginPopup("##hidden-menu")) return;
  for (std::size_t i = 0; i < layout_.panels().size(); ++i) {
    if (!layout_.panels()[i].hidden) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::MenuItem(title_of(layout_.panels()[i]).c_str())) {
      layout_.at(i).hidden = false;
      focus_ = i;
      bring_ = changed_ = true;
    }
    ImGui::PopID();
  }
  ImGui::EndPopup();
}

void DashboardPage::draw_absent(float width) const {
  constexpr int kMostLines = 4;
  const float left = ImGui::GetCursorPosX();
  for (const std::string& line : absent_lines(sources_)) {
    ImGui::SetCursorPosX(left);
    caption(app_, line, width, app_.theme.muted, kMostLines);
  }
}

}  // namespace warpscope::ui
