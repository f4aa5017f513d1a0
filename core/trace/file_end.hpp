#pragma once
// Whether a rank's file ended before its document did. One place decides: what the window marks as unfinished, what a
// watched profile still waits for, and what `info` calls complete must be the same.
#include <string_view>

#include "core/base/diagnostics.hpp"

namespace warpscope::trace {

/// The end of `file` is missing, by what was noted when it was read: its text stopped within the document, or could not
/// be read or decompressed further. O(diagnostics).
[[nodiscard]] bool unfinished(const Diagnostics& diagnostics, std::string_view file);

}  // namespace warpscope::trace
