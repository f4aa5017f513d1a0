#pragma once

// Finds real traces and expected results that are too large for the repository: the folder `shared` next to the source
// tree, or the one in the environment variable WARPSCOPE_SHARED. Tests that need it warn and pass if it does not exist.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tests/sanitized.hpp"

namespace warpscope::tests {

// Returns the folder, if it exists.
[[nodiscard]] std::optional<std::filesystem::path> shared_dir();

// Size of the largest real trace that tests read event by event. Larger traces take minutes under sanitizers and do not
// find more bugs.
[[nodiscard]] inline std::uintmax_t largest_trace() { return sanitized() ? 1'100'000 : 4 << 20; }

// Root of the source tree.
[[nodiscard]] inline std::filesystem::path source_dir() { return WARPSCOPE_SOURCE_DIR; }

}  // namespace warpscope::tests
