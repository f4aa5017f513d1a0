#pragma once
// Detects files with the same content, such as a trace next to its compressed copy. They count as one source.
#include <memory>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Removes ranks whose file has the same content as an earlier one, and adds the diagnostic "same-content" for each.
/// Files are considered the same if rank, text length, metadata, counts, tracks and a sample of each lane's slices with
/// their event ids are equal. Files without a rank are compared only if their names are the same except for the
/// compression suffix. O(ranks · log ranks); reads slices only if everything else is equal.
void remove_copies(std::vector<std::shared_ptr<const Rank>>& ranks, Diagnostics& diagnostics);

}  // namespace warpscope::trace
