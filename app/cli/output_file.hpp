#pragma once
// Where a converted profile is written: a mistyped --out must not cost anyone a trace, notes or a device.
#include <string>

#include "core/base/result.hpp"

namespace warpscope::cli {

/// The file that writing to `path` makes or replaces, symbolic links followed. Only a new file or one that holds a
/// converted profile already may be written; anything else there (other files, folders, devices, pipes) is an error, as
/// are an empty path and a folder that does not exist.
[[nodiscard]] Result<std::string> output_file(const std::string& path);

/// Why no file can be written at `path` whatever is there: its name is too long, its folder may not be entered. That
/// is the system's refusal, no mistake in the command's use.
[[nodiscard]] Failure unreachable_output(const std::string& path);

}  // namespace warpscope::cli
