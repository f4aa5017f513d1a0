#pragma once
// Where a command writes what it makes: a mistyped --out must not cost anyone a trace, notes or a device.
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.hpp"

namespace warpscope::cli {

/// What may be there already and is replaced.
enum class Replaces : std::uint8_t { nothing, converted_profile, report, picture, state };

/// The file that writing to `path` makes or replaces, symbolic links followed. Only a new file, an empty one, or one of
/// what is replaced may be written; anything else there (other files, folders, devices, pipes) is an error, as are an
/// empty path and a folder that does not exist.
[[nodiscard]] Result<std::string> output_file(const std::string& path, Replaces replaces = Replaces::converted_profile);

/// What the user's files are allowed. Asking for it changes it for a moment: call before there are threads.
[[nodiscard]] std::filesystem::perms usual_permissions();

/// Why no file can be written at `path` whatever is there: its name is too long, it is write-protected, its folder may
/// not be entered or does not exist. That ends with kNotWritten: it is the system's refusal, no mistake in the
/// command's use.
[[nodiscard]] Failure unreachable_output(const std::string& path);

}  // namespace warpscope::cli
