#include "tests/shared_dir.hpp"

#include <cstdlib>
#include <system_error>

namespace warpscope::tests {

std::optional<std::filesystem::path> shared_dir() {
  std::filesystem::path folder = std::filesystem::path(WARPSCOPE_SOURCE_DIR).parent_path() / "shared";
  if (const char* named = std::getenv("WARPSCOPE_SHARED"); named != nullptr && *named != '\0') folder = named;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

}  // namespace warpscope::tests
