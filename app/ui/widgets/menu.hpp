#pragma once
// Command menus: each item shows a command's name and keys and runs the command.
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Starts a popup with menu padding, like ImGui::BeginPopup.
bool begin_menu_popup(const AppContext& context, const char* id);
void end_menu_popup();

/// Draws an item for a command; no-op for an unknown command. `label` replaces its name.
void menu_item(AppContext& context, std::string_view command, std::string_view label = {});

/// Draws an item for each recent path.
void recent_items(AppContext& context);

/// Draws all commands available on `page`, by category, for the top bar's menu button.
void draw_main_menu(AppContext& context, std::string_view page);

/// Draws the menu for the profile name in the top bar: open, recents, reload, close, palette, help, quit.
void draw_profile_menu(AppContext& context);

}  // namespace warpscope::ui
