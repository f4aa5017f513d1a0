#include "app/ui/look/theme.hpp"

namespace warpscope::ui {

Theme make_theme(bool dark, scene::Hues hues) {
  const scene::Theme theme = scene::with_hues(dark ? scene::Theme::dark : scene::Theme::light, hues);
  return {scene::theme_colors(theme), theme};
}

scene::Color faded(scene::Color color, float alpha) { return scene::with_alpha(color, static_cast<double>(alpha)); }

ImVec4 to_vec4(scene::Color color) { return ImGui::ColorConvertU32ToFloat4(color); }

void apply_style(const Theme& theme, const Metrics& px) {
  ImGuiStyle style;  // fresh: scaled values are computed from the unscaled ones
  style.WindowPadding = {px(8), px(8)};
  style.FramePadding = {px(8), px(4)};
  style.CellPadding = {px(8), px(2)};
  style.ItemSpacing = {px(8), px(4)};
  style.ItemInnerSpacing = {px(8), px(4)};
  style.IndentSpacing = px(16);
  style.ScrollbarSize = px(10);
  style.ScrollbarRounding = px(4);
  style.FrameRounding = px(4);
  style.PopupRounding = style.WindowRounding = style.ChildRounding = px(4);
  style.WindowBorderSize = style.PopupBorderSize = px(1);
  style.ChildBorderSize = style.FrameBorderSize = 0;
  style.WindowMinSize = {px(32), px(32)};
  style.DisplaySafeAreaPadding = {0, 0};
  style.MouseCursorScale = px.scale;
  style.DisabledAlpha = 0.5f;
  style.HoverStationaryDelay = style.HoverDelayShort = style.HoverDelayNormal = 0;  // tooltips appear within a frame

  const auto set = [&style](ImGuiCol slot, scene::Color color, float alpha = 1) {
    style.Colors[slot] = to_vec4(faded(color, alpha));
  };
  for (ImVec4& color : style.Colors) color = to_vec4(theme.accent);
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.muted);
  set(ImGuiCol_WindowBg, theme.panel);
  set(ImGuiCol_ChildBg, theme.panel, 0);
  set(ImGuiCol_PopupBg, theme.raised);
  set(ImGuiCol_Border, theme.line);
  set(ImGuiCol_BorderShadow, theme.line, 0);
  set(ImGuiCol_FrameBg, theme.raised);
  set(ImGuiCol_FrameBgHovered, theme.line);
  set(ImGuiCol_FrameBgActive, theme.line);
  set(ImGuiCol_ScrollbarBg, theme.panel, 0);
  set(ImGuiCol_ScrollbarGrab, theme.muted, 0.35f);
  set(ImGuiCol_ScrollbarGrabHovered, theme.muted, 0.6f);
  set(ImGuiCol_ScrollbarGrabActive, theme.muted, 0.8f);
  set(ImGuiCol_Button, theme.raised);
  set(ImGuiCol_ButtonHovered, theme.line);
  set(ImGuiCol_ButtonActive, theme.accent, 0.35f);
  set(ImGuiCol_Header, theme.accent, 0.22f);
  set(ImGuiCol_HeaderHovered, theme.muted, 0.18f);
  set(ImGuiCol_HeaderActive, theme.accent, 0.35f);
  set(ImGuiCol_Separator, theme.line);
  set(ImGuiCol_TableHeaderBg, theme.panel);
  set(ImGuiCol_TableBorderStrong, theme.line);
  set(ImGuiCol_TableBorderLight, theme.line, 0.6f);
  set(ImGuiCol_TableRowBg, theme.ground, 0);
  set(ImGuiCol_TableRowBgAlt, theme.muted, 0.05f);
  set(ImGuiCol_TextSelectedBg, theme.accent, 0.35f);
  set(ImGuiCol_NavHighlight, theme.accent);
  set(ImGuiCol_ModalWindowDimBg, scene::rgb(0x000000), theme.dark() ? 0.45f : 0.25f);
  ImGui::GetStyle() = style;
}

}  // namespace warpscope::ui
