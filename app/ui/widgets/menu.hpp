#pragma once
// Menus are made of commands: an item shows the command's name and keys and runs it.
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// A popup with the padding of a menu; as ImGui::BeginPopup.
bool begin_menu_popup(const AppContext& context, const char* id);
void end_menu_popup();

/// An item for a command; nothing if there is no such command. `label`: another text than its name.
void menu_item(AppContext& context, std::string_view command, std::string_view label = {});

/// Every command of the table that works on `page`, by category: what the button at the left of the top bar opens.
void draw_main_menu(AppContext& context, std::string_view page);

/// What the profile's name in the top bar opens: open, recents, reload, close, palette, help, quit.
void draw_profile_menu(AppContext& context);

}  // namespace warpscope::ui
