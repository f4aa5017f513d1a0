#pragma once
// Code and commands to copy for recording a profile: with PyTorch, from SageMaker Profiler scripts, with host load, and
// from C or C++.
#include <filesystem>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command for each way to record; the command copies the lines for it.
void add_recording_commands(AppContext& context);
/// Draws the lines for each way to record, with a button that copies them.
void draw_recordings(AppContext& context);

/// Returns the folder of the Python module smprof for a program at this path, whether installed or in its source tree.
/// If the module is in neither place, returns the usual folder.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the compiler options for the annotation library: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
