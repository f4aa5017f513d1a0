#include "app/ui/widgets/side_list.hpp"

#include <imgui.h>

#include <cmath>

#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kListRow = 28;
constexpr float kInset = 12;

/// True if the current item changed since the last draw; the list scrolls only in that case.
bool is_another(std::optional<std::size_t> shown) {
  const int now = shown ? static_cast<int>(*shown) : -1;
  int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("##shown"), -1);
  const bool another = now != last;
  last = now;
  return another;
}

bool starts_group(std::span<const SideItem> items, std::size_t i) {
  return !items[i].group.empty() && (i == 0 || items[i].group != items[i - 1].group);
}

/// Draws a heading at the cursor. `apart`: leaves space above it.
void group_heading(const AppContext& app, std::string_view group, float width, bool apart) {
  if (apart) ImGui::Dummy({0, app.px(6)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImFont* font = app.fonts.caption;
  ImGui::Dummy({width, font->FontSize + app.px(6)});
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {at.x + app.px(kInset), at.y + app.px(2)}, app.theme.accent,
                                      group.data(), group.data() + group.size());
}

/// True if a line at `y` (screen px) is fully visible.
bool is_whole(float y, float height) {
  const float top = ImGui::GetWindowPos().y;
  return y >= top && y + height <= top + ImGui::GetWindowHeight();
}

}  // namespace

std::optional<std::size_t> side_list(const AppContext& app, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown, float width) {
  std::optional<std::size_t> clicked;
  const float height = app.px(kListRow);
  const float inset = app.px(kInset);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool moved = is_another(shown);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const SideItem& item = items[i];
    if (starts_group(items, i)) group_heading(app, item.group, width, i > 0);
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("##item", {width, height})) clicked = i;
    const bool on = i == shown;
    if (on && moved && !is_whole(at.y, height)) ImGui::SetScrollHereY();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && !item.about.empty()) tooltip(app, item.name, item.about, item.further);
    if (on || hovered) list.AddRectFilled(at, {at.x + width, at.y + height}, app.theme.raised, app.px(4));
    const float text_y = at.y + std::floor((height - ImGui::GetFontSize()) / 2);
    const float figure = ImGui::CalcTextSize(item.figure.c_str()).x;
    const std::string name = fit_text(item.name, width - 2 * inset - (figure > 0 ? figure + app.px(8) : 0));
    list.AddText({at.x + inset, text_y}, on || (hovered && !item.empty) ? app.theme.text : app.theme.muted,
                 name.c_str());
    list.AddText({at.x + width - inset - figure, text_y}, app.theme.muted, item.figure.c_str());
    ImGui::PopID();
  }
  return clicked;
}

std::optional<std::size_t> side_menu(const AppContext& app, std::string_view now, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown) {
  std::optional<std::size_t> clicked;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##side", std::string(now).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (starts_group(items, i)) group_heading(app, items[i].group, ImGui::GetContentRegionAvail().x, i > 0);
      if (ImGui::Selectable(std::string(items[i].name).c_str(), i == shown)) clicked = i;
    }
    ImGui::EndCombo();
  }
  ImGui::Dummy({0, app.px(4)});
  return clicked;
}

}  // namespace warpscope::ui
