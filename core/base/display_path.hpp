#pragma once
// Trace file paths as shown to the user.
#include <string>

namespace warpscope {

/// Returns `file` relative to the directory `root`; only the file name if `file` is `root`; unchanged if `file` is not
/// under `root`.
[[nodiscard]] std::string display_path(const std::string& file, const std::string& root);

}  // namespace warpscope
