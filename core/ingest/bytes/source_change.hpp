#pragma once
// Detects whether a file changed since it was found. If it changed before it was read to its end, the result may mix
// two versions and is not kept.
#include <string>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns true if both are the same file in the same state: size, modification time and inode. Does not compare paths.
[[nodiscard]] bool same_state(const trace::SourceFile& a, const trace::SourceFile& b);

/// Describes how the file now differs from `found`; "" if it does not. A deleted file was read to its end, so it counts
/// as unchanged unless another file replaced it.
[[nodiscard]] std::string change_since_found(const trace::SourceFile& found);

}  // namespace warpscope::ingest
