#pragma once
// Whether a file changed between being found and being read to its end: then what was read may be of two files, and is
// nothing to keep.
#include <string>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// How the file differs from `found` now, in words; "" if it does not. A file that is gone was read to its end: only
/// what is at its place can be another one.
[[nodiscard]] std::string change_since_found(const trace::SourceFile& found);

}  // namespace warpscope::ingest
