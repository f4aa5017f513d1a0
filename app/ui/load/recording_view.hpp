#pragma once
// Code and commands that users can copy to record a profile: with PyTorch, from SageMaker Profiler scripts, with host
// load, and from C or C++.
#include <filesystem>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command for each way to record a profile; the command copies the code to the clipboard.
void add_recording_commands(AppContext& context);
/// Draws the code for each way to record a profile, with a button that copies it.
void draw_recordings(AppContext& context);

/// Returns the folder of the Python module smprof that belongs to the program at this path, either installed or in the
/// source tree. If neither exists, returns the default install folder.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the compiler options for the annotation library: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
