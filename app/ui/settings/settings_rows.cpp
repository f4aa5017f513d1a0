#include "app/ui/settings/settings_rows.hpp"

#include <imgui.h>

#include <cmath>

#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

bool settings_narrow(const AppContext& context) { return ImGui::GetWindowWidth() < context.px(kSettingsNarrow); }

void settings_title(const AppContext& context, const char* words) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(context.px(8), context.px(8)));
  ImGui::Dummy({0, context.px(16)});
  text(words, context.theme.accent);
  ImGui::Separator();
  ImGui::Dummy({0, context.px(4)});
  ImGui::PopStyleVar();
}

void settings_label(const AppContext& context, const char* words) {
  if (settings_narrow(context)) {
    text_muted(words);
    return;
  }
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::floor((context.px(kSettingsRow) - ImGui::GetTextLineHeight()) / 2));
  text(words);
  ImGui::SameLine(context.px(kSettingsLabel));
  ImGui::SetCursorPosY(y);
}

void settings_note(const AppContext& context, std::string_view words) {
  if (words.empty()) return;
  if (!settings_narrow(context)) ImGui::SetCursorPosX(context.px(kSettingsLabel));
  text_wrapped(words, context.theme.muted);
}

std::optional<std::size_t> settings_choice(const AppContext& context, const char* label,
                                           std::span<const std::string_view> words, std::size_t chosen) {
  settings_label(context, label);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() +
                       std::floor((context.px(kSettingsRow) - context.px(kControlHeight)) / 2));
  return small_choice(context, label, words, chosen);
}

}  // namespace warpscope::ui
