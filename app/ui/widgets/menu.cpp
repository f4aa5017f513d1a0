#include "app/ui/widgets/menu.hpp"

#include <imgui.h>

#include <string>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

namespace {

constexpr std::string_view kRecent = "file.open-recent-";

void draw_recent_menu(AppContext& context) {
  if (context.settings.recents.empty() || !ImGui::BeginMenu("Open recent")) return;
  recent_items(context);
  ImGui::EndMenu();
}

}  // namespace

bool begin_menu_popup(const AppContext& context, const char* id) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(8), context.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(context.px(16), context.px(8)));
  const bool open = ImGui::BeginPopup(id);
  if (!open) ImGui::PopStyleVar(2);
  return open;
}

void end_menu_popup() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

void menu_item(AppContext& context, std::string_view command, std::string_view label) {
  const Command* found = context.commands.find(command);
  if (found == nullptr) return;
  const std::string name = label.empty() ? found->name : std::string(label);
  const std::string keys = context.commands.keys_text(command, 1);
  const bool enabled = context.commands.enabled(command);
  const std::string id(command);
  if (ImGui::MenuItem((name + "###" + id).c_str(), keys.c_str(), false, enabled)) context.commands.run(id);
}

void recent_items(AppContext& context) {
  for (std::size_t i = 0; i < context.settings.recents.size(); ++i)
    menu_item(context, std::string(kRecent) + std::to_string(i + 1),
              fit_text_end(context.settings.recents[i], context.px(420)));
}

void draw_main_menu(AppContext& context, std::string_view page) {
  const auto listed = [&](const Command& command, std::string_view category) {
    return command.category == category && (command.page.empty() || command.page == page) &&
           !command.id.starts_with(kRecent);
  };
  // Copy the names: an item's action may add commands.
  const std::vector<std::string_view> views = context.commands.categories();
  const std::vector<std::string> categories(views.begin(), views.end());
  for (const std::string& category : categories) {
    std::vector<std::string> ids;
    for (const Command& command : context.commands.all())
      if (listed(command, category)) ids.push_back(command.id);
    if (ids.empty() || !ImGui::BeginMenu(category.c_str())) continue;
    for (const std::string& id : ids) {
      menu_item(context, id);
      if (id == "file.open") draw_recent_menu(context);
    }
    ImGui::EndMenu();
  }
}

void draw_profile_menu(AppContext& context) {
  menu_item(context, "file.open");
  menu_item(context, "file.open-demo");
  draw_recent_menu(context);
  menu_item(context, "file.reload");
  menu_item(context, "file.watch", context.session.progress().watching ? "Stop watching" : "");
  menu_item(context, "file.cancel");
  menu_item(context, "file.close");
  ImGui::Separator();
  menu_item(context, "app.palette");
  menu_item(context, "app.help");
  menu_item(context, "page.settings", "Settings");
  ImGui::Separator();
  menu_item(context, "app.quit");
}

}  // namespace warpscope::ui
