#pragma once
// Paths of the command line, as they are when the program stands somewhere else.
#include <filesystem>
#include <string>
#include <vector>

namespace warpscope::cli {

/// Absolute, without a slash at the end.
[[nodiscard]] inline std::vector<std::string> whole_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> whole;
  for (const std::string& path : paths) {
    std::error_code failed;
    std::filesystem::path one = std::filesystem::absolute(path, failed).lexically_normal();
    if (!one.has_filename() && one.has_relative_path()) one = one.parent_path();
    whole.push_back(failed ? path : one.string());
  }
  return whole;
}

}  // namespace warpscope::cli
