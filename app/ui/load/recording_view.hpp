#pragma once
// Lines to copy for recording a profile: with PyTorch, from SageMaker Profiler scripts, with host load, and from C or
// C++.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command for each way to record, which copies its lines.
void add_recording_commands(AppContext& context);
/// Draws the lines of each way, with a button that copies them.
void draw_recordings(AppContext& context);

}  // namespace warpscope::ui
