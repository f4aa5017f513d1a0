#pragma once
// Code and commands that users can copy to record a profile: from PyTorch, SageMaker Profiler scripts, and C or C++
// programs, optionally with host load.
#include <filesystem>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds commands that copy the code for each way to record a profile.
void add_recording_commands(AppContext& context);
/// Draws the code for each way to record a profile, with a copy button.
void draw_recordings(AppContext& context);

/// Returns the folder of the smprof Python module for the program at this path: the installed module or the one in the
/// source tree. If neither exists, returns the default install folder.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

}  // namespace warpscope::ui
