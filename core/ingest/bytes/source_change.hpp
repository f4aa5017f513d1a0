#pragma once
// Whether a file changed since it was found. If it changed before it was read to its end, what was read may come from
// two files and is not kept.
#include <string>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// True if both are the same file in the same state: size, modification time and inode. Paths are not compared.
[[nodiscard]] bool same_state(const trace::SourceFile& a, const trace::SourceFile& b);

/// How the file differs from `found` now, in words; "" if it does not. A file that is gone was read to its end: only
/// what is at its place can be another one.
[[nodiscard]] std::string change_since_found(const trace::SourceFile& found);

}  // namespace warpscope::ingest
