#pragma once
// Paths of trace files as shown to the user.
#include <string>

namespace warpscope {

/// Returns `file` relative to the directory `root`; only the file name if `file` is `root`; `file` unchanged if it is
/// elsewhere.
[[nodiscard]] std::string display_path(const std::string& file, const std::string& root);

}  // namespace warpscope
