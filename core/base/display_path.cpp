#include "core/base/display_path.hpp"

#include <filesystem>

#include "core/base/file_group.hpp"

namespace warpscope {

std::string display_path(const std::string& file, const std::string& root) {
  if (file == root || file_of(file) == root) return std::filesystem::path(file).filename().string();
  const bool below = file.size() > root.size() + 1 && file.starts_with(root) && file[root.size()] == '/';
  return below ? file.substr(root.size() + 1) : file;
}

}  // namespace warpscope
