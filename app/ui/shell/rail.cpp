#include "app/ui/shell/rail.hpp"

#include <imgui.h>

#include <cmath>
#include <string>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kWidth = 132;
constexpr float kFoldedWidth = 44;
constexpr float kItemHeight = 36;

/// Draws one row of the rail; true when clicked.
bool rail_item(const AppContext& context, const char* id, Icon icon, std::string_view label, bool on, bool enabled,
               std::string_view command) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  const float width = ImGui::GetWindowWidth() - px(8);
  const float height = px(kItemHeight);
  ImGui::SetCursorPosX(px(4));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(id, {width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on || hovered) list.AddRectFilled(at, {at.x + width, at.y + height}, theme.raised, px(4));
  if (on) {
    const float bar = px(20);
    list.AddRectFilled({at.x, at.y + (height - bar) / 2}, {at.x + px(3), at.y + (height + bar) / 2}, theme.accent,
                       px(2));
  }
  const scene::Color color = ImGui::GetColorU32(on || hovered ? theme.text : theme.muted);
  const float picture = px(18);
  draw_icon(list, icon, {at.x + px(10), at.y + std::floor((height - picture) / 2)}, picture, color);
  const bool folded = context.settings.rail_folded;
  if (!folded) {
    const std::string shown = fit_text(label, width - px(40) - px(4));
    list.AddText({at.x + px(40), at.y + std::floor((height - ImGui::GetFontSize()) / 2)}, color, shown.c_str());
  }
  ImGui::EndDisabled();
  if (hovered && folded) tooltip(context, label, {}, context.commands.keys_text(command, 1));
  return clicked;
}

}  // namespace

float rail_width(const AppContext& context) { return context.px(context.settings.rail_folded ? kFoldedWidth : kWidth); }

void draw_rail(AppContext& context, std::span<const std::unique_ptr<Page>> pages, std::string_view shown) {
  const Metrics& px = context.px;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, px(4)));
  ImGui::SetCursorPosY(px(8));
  for (const std::unique_ptr<Page>& page : pages) {
    const std::string id(page->id());
    const std::string command = "page." + id;
    if (rail_item(context, id.c_str(), page->spec().icon, page->spec().title, id == shown, page->available(),
                  command)) {
      context.show_page(id);
    }
  }
  const float bottom = ImGui::GetWindowHeight() - px(kItemHeight) - px(8);
  if (bottom > ImGui::GetCursorPosY()) {
    ImGui::SetCursorPosY(bottom);
    if (rail_item(context, "##fold", Icon::fold, context.settings.rail_folded ? "Expand" : "Collapse", false, true,
                  "app.fold-rail")) {
      context.commands.run("app.fold-rail");
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace warpscope::ui
