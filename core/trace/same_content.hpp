#pragma once
// Files of equal content, as a trace beside its compressed copy: they are one source, and count once.
#include <memory>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Removes ranks whose file has the content of one before them, and adds "same-content" for each. Files are equal if
/// rank, length of the text, metadata, counts and tracks are, and a sample of the slices of each lane, with their
/// places in the text. Files that do not give their rank are compared only if their names differ by the compression
/// alone. O(ranks · log ranks); slices are looked at where all else is equal.
void remove_copies(std::vector<std::shared_ptr<const Rank>>& ranks, Diagnostics& diagnostics);

}  // namespace warpscope::trace
