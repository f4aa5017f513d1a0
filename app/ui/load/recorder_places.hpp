#pragma once
// Finds the Python modules and the annotation library: installed next to the program, or in the clone where it was
// built. The Load page shows these paths in the lines to copy.
#include <filesystem>
#include <string>

namespace warpscope::ui {

/// Returns the folder of the smprof module for a program at this path; the default one if found in neither place.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the compiler options for the annotation library: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
