#pragma once
// How to record a profile, in lines to copy: with PyTorch, from scripts for SageMaker Profiler, and the load of the
// host.
#include <filesystem>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

/// Adds a command that copies the lines of each way to record.
void add_recording_commands(AppContext& context);
/// Draws the lines of each way, with a button that copies them.
void draw_recordings(AppContext& context);

/// Returns the folder of the module smprof for a program at this path, which is installed or in the clone that it was
/// built in; the usual one if it is in neither place.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the options with which a compiler finds the library for annotations: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
