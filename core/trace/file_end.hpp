#pragma once
// Detects files whose end is missing. The window's "unfinished" marks, watched profiles and `info` all use this
// function, so they agree.
#include <string_view>

#include "core/base/diagnostics.hpp"

namespace warpscope::trace {

/// True if the diagnostics report that the end of `file` is missing: its text is truncated, or it could not be read or
/// decompressed to the end. O(diagnostics).
[[nodiscard]] bool unfinished(const Diagnostics& diagnostics, std::string_view file);

}  // namespace warpscope::trace
