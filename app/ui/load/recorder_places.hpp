#pragma once
// Where the Python modules and the library for annotations are: installed beside the program, or in the clone that it
// was built in. The Load page shows lines to copy with these places.
#include <filesystem>
#include <string>

namespace warpscope::ui {

/// Returns the folder of the module smprof for a program at this path; the usual one if it is in neither place.
[[nodiscard]] std::string python_folder(const std::filesystem::path& program);

/// Returns the options with which a compiler finds the library for annotations: "-I… -L… -Wl,-rpath,… -lwarpscope_…".
[[nodiscard]] std::string annotation_options(const std::filesystem::path& program);

}  // namespace warpscope::ui
