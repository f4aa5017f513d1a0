#pragma once
// Code and commands that users can copy to record a profile.

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds commands that copy the code for each way to record a profile.
void add_recording_commands(AppContext& context);
/// Draws the code for each way to record a profile, with a copy button.
void draw_recordings(AppContext& context);

}  // namespace warpscope::ui
