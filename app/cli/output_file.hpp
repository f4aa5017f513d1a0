#pragma once
// Chooses where a command writes its output, so that a mistyped --out cannot overwrite a trace, notes or a device.
#include <cstdint>
#include <string>

#include "app/cli/exit_status.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

/// Kind of existing file that a command may replace.
enum class Replaces : std::uint8_t { nothing, converted_profile, report, picture, database, state };

/// Returns the file that writing to `path` creates or replaces, with symbolic links resolved. Accepts a new file, an
/// empty file, or an existing file of the kind `replaces`. Anything else (other files, folders, devices, pipes), an
/// empty path and a missing folder are errors.
[[nodiscard]] Result<std::string> output_file(const std::string& path, Replaces replaces = Replaces::converted_profile);

/// Returns the reason a file cannot be written at `path`, regardless of its contents: the name is too long, the file is
/// write-protected, or the folder is missing or inaccessible. Commands then exit with kNotWritten, because the command
/// line is valid but the system refuses the write.
[[nodiscard]] Failure unreachable_output(const std::string& path);

/// Checks both and prints the error. Returns its status, or kDone if the file can be written or `path` is empty.
[[nodiscard]] ExitStatus check_output(const std::string& path, Replaces replaces);

}  // namespace warpscope::cli
