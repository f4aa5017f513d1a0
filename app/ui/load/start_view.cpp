#include "app/ui/load/start_view.hpp"

#include <imgui.h>

#include <cmath>
#include <filesystem>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

/// Draws a button that runs a command, with its keys in the tooltip.
bool command_button(AppContext& context, const char* label, const char* command, const char* tip, bool primary) {
  if (context.commands.find(command) == nullptr) return false;
  if (primary ? primary_button(context, label) : ImGui::Button(label)) context.commands.run(command);
  if (ImGui::IsItemHovered()) tooltip(context, tip, {}, context.commands.keys_text(command, 1));
  ImGui::SameLine();
  return true;
}

}  // namespace

void section_title(const AppContext& context, std::string_view words) {
  ImGui::Dummy({0, context.px(16)});
  text_muted(words);
  ImGui::Dummy({0, context.px(2)});
}

void draw_open_buttons(AppContext& context, bool first) {
  const Metrics& px = context.px;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(first ? 16 : 12), px(6)));
  command_button(context, "Open directory…", "file.open", "Choose a job's directory or a file", first);
  command_button(context, "Add a folder to the list…", "load.add-root", "Choose a folder of jobs to list here", false);
  if (!context.settings.recents.empty() && !first) {
    if (ImGui::Button("Recent")) ImGui::OpenPopup("##recent");
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + px(4)});
    if (begin_menu_popup(context, "##recent")) {
      for (std::size_t i = 0; i < context.settings.recents.size(); ++i) {
        menu_item(context, "file.open-recent-" + std::to_string(i + 1),
                  fit_text_end(context.settings.recents[i], px(420)));
      }
      end_menu_popup();
    }
    ImGui::SameLine();
  }
  command_button(context, "Open the demo trace", "file.open-demo", "A small generated job to explore", false);
  ImGui::PopStyleVar();
  ImGui::SameLine(0, px(16));
  ImGui::AlignTextToFramePadding();
  text_muted("or drop it here");
}

void draw_recents(AppContext& context) {
  std::vector<std::string>& recents = context.settings.recents;
  if (recents.empty()) return;
  const Metrics& px = context.px;
  section_title(context, "Recent");
  std::size_t removed = recents.size();
  const float height = px(28);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (std::size_t i = 0; i < recents.size(); ++i) {
    const std::filesystem::path path = std::filesystem::path(recents[i]).lexically_normal();
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorPos();
    const ImVec2 screen = ImGui::GetCursorScreenPos();
    const float row_width = width - px(32);  // space for the button next to it: clicking there must not open the row
    if (ImGui::Selectable("##recent", false, ImGuiSelectableFlags_None, {row_width, height}))
      context.commands.run("file.open-recent-" + std::to_string(i + 1));
    const bool hovered =
        ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(screen, {screen.x + width, screen.y + height}, true);
    const float text_y = screen.y + std::floor((height - ImGui::GetFontSize()) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(list, Icon::folder, {screen.x + px(4), screen.y + px(6)}, px(16), context.theme.muted);
    const std::string shown = fit_text(name, px(240));
    list.AddText({screen.x + px(28), text_y}, context.theme.text, shown.c_str());
    const std::string where = fit_text_end(path.parent_path().string(), width - px(300) - px(36));
    list.AddText({screen.x + px(300), text_y}, context.theme.muted, where.c_str());
    if (hovered) {
      ImGui::SetCursorPos({at.x + width - px(28), at.y + px(2)});
      if (icon_button(context, "##remove", Icon::close, "Remove from the list")) removed = i;
    }
    ImGui::SetCursorPos({at.x, at.y + height});
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({0, 0});
  if (removed < recents.size()) recents.erase(recents.begin() + static_cast<std::ptrdiff_t>(removed));
}

}  // namespace warpscope::ui
