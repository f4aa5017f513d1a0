#pragma once
// How to record a profile, in lines to copy: with PyTorch, from scripts for SageMaker Profiler, and the load of the
// host.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command that copies the lines of each way to record.
void add_recording_commands(AppContext& context);
/// Draws the lines of each way, with a button that copies them.
void draw_recordings(AppContext& context);

}  // namespace warpscope::ui
