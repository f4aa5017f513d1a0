#include "app/ui/load/start_view.hpp"

#include <imgui.h>

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
      recent_items(context);
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
  const std::vector<std::string>& recents = context.settings.recents;
  if (recents.empty()) return;
  section_title(context, "Recent");
  for (std::size_t i = 0; i < recents.size(); ++i) {
    const std::string shown = fit_text_end(recents[i], ImGui::GetContentRegionAvail().x);
    const std::string command = "file.open-recent-" + std::to_string(i + 1);
    if (ImGui::Selectable((shown + "##" + command).c_str())) context.commands.run(command);
  }
}

}  // namespace warpscope::ui
