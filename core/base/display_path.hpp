#pragma once
// How a file of what was opened is named to people.
#include <string>

namespace warpscope {

/// `file` relative to the directory `root`; its name alone if it is what was opened itself; else as it is.
[[nodiscard]] std::string display_path(const std::string& file, const std::string& root);

}  // namespace warpscope
