#pragma once
// Lines to copy for recording a profile: with PyTorch, from SageMaker Profiler scripts, with host load, and from C or
// C++.
#include <filesystem>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command for each way to record, which copies its lines.
void add_recording_commands(AppContext& context);
/// Draws the lines of each way, with a button that copies them.
void draw_recordings(AppContext& context);

/// Returns the folder of the module smprof for a program at this path, which is installed or in the clone that it was
/// built in; the usual one if it is in neither place.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the compiler options for the annotation library: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
