#pragma once
// What the Load page shows beside lists: ways to open something, what was opened before, how to record a trace.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Muted words above what follows.
void section_title(const AppContext& context, std::string_view words);
/// A row of buttons: open, add a folder to the list, the demo. `first`: nothing is listed or loaded yet.
void draw_open_buttons(AppContext& context, bool first);
void draw_recents(AppContext& context);
void draw_recording(AppContext& context);

}  // namespace warpscope::ui
