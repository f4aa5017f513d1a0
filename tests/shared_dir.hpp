#pragma once

// Where the real traces and the expected results are that are too large for the project itself: a folder `shared`
// beside the source tree, or the one that the environment variable WARPSCOPE_SHARED names. Tests that need it and do
// not find it say so by WARN and pass.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/sanitized.hpp"

namespace warpscope::tests {

// The folder, if there is one.
[[nodiscard]] inline std::optional<std::filesystem::path> shared_dir() {
  std::filesystem::path folder = std::filesystem::path(WARPSCOPE_SOURCE_DIR).parent_path() / "shared";
  if (const char* named = std::getenv("WARPSCOPE_SHARED"); named != nullptr && *named != '\0') folder = named;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

// Size of the largest real trace that tests read event by event. Larger ones take minutes under sanitizers, which find
// in them what they find in the others.
[[nodiscard]] inline std::uintmax_t largest_trace() { return sanitized() ? 1'100'000 : 4 << 20; }

// The root of the project's sources.
[[nodiscard]] inline std::filesystem::path source_dir() { return WARPSCOPE_SOURCE_DIR; }

}  // namespace warpscope::tests
