#pragma once
// Makes command line paths independent of the working directory.
#include <filesystem>
#include <string>
#include <vector>

namespace warpscope::cli {

/// Returns absolute paths without a trailing slash.
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
