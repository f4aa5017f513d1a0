#pragma once
// The remaining parts of the Load page: buttons that open profiles, and recent paths.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Draws a muted section title.
void section_title(const AppContext& context, std::string_view words);
/// Draws the buttons for opening a profile, adding a folder and opening the demo. `first`: nothing is listed or loaded
/// yet.
void draw_open_buttons(AppContext& context, bool first);
void draw_recents(AppContext& context);

}  // namespace warpscope::ui
