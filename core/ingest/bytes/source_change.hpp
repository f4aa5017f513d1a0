#pragma once
// Detects whether a file has changed since it was found. If it changed before it was fully read, the result may mix two
// versions and is discarded.
#include <string>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns true if size, modification time and inode are the same. Does not compare paths.
[[nodiscard]] bool same_state(const trace::SourceFile& a, const trace::SourceFile& b);

/// Describes how the file now differs from `found`; "" if it does not. A deleted file is considered unchanged unless
/// another file replaced it, because an open file stays readable after deletion.
[[nodiscard]] std::string change_since_found(const trace::SourceFile& found);

}  // namespace warpscope::ingest
