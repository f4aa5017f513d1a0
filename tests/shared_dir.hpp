#pragma once

// Finds real traces and expected results that are too large for the repository: the folder `shared` next to the source
// tree, or the one in the environment variable WARPSCOPE_SHARED. Tests that need it warn and pass if it does not exist.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/sanitized.hpp"

namespace warpscope::tests {

// Returns the folder, if it exists.
[[nodiscard]] inline std::optional<std::filesystem::path> shared_dir() {
  std::filesystem::path folder = std::filesystem::path(WARPSCOPE_SOURCE_DIR).parent_path() / "shared";
  if (const char* named = std::getenv("WARPSCOPE_SHARED"); named != nullptr && *named != '\0') folder = named;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

// Size of the largest real trace that tests read event by event. Larger traces take minutes under sanitizers and do not
// find more bugs.
[[nodiscard]] inline std::uintmax_t largest_trace() { return sanitized() ? 1'100'000 : 4 << 20; }

// Root of the source tree.
[[nodiscard]] inline std::filesystem::path source_dir() { return WARPSCOPE_SOURCE_DIR; }

}  // namespace warpscope::tests
