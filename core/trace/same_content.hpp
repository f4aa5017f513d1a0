#pragma once
// Detects files with the same content, such as a trace next to its compressed copy. They count as one source.
#include <memory>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Removes ranks whose file has the same content as an earlier one, and adds the diagnostic "same-content" for each.
/// Files are considered the same if they have equal ranks, text lengths, metadata, counts, tracks and samples of each
/// lane's slices (including event ids). Files without a rank are compared only if their names differ at most in the
/// compression suffix. O(ranks · log ranks); reads slices only if everything else is equal.
void remove_copies(std::vector<std::shared_ptr<const Rank>>& ranks, Diagnostics& diagnostics);

}  // namespace warpscope::trace
