#include "core/base/display_path.hpp"

#include <filesystem>

namespace warpscope {

std::string display_path(const std::string& file, const std::string& root) {
  if (file == root) return std::filesystem::path(file).filename().string();
  const bool below = file.size() > root.size() + 1 && file.starts_with(root) && file[root.size()] == '/';
  return below ? file.substr(root.size() + 1) : file;
}

}  // namespace warpscope
