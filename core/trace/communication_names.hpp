#pragma once
// Names of kernels that move data between ranks: NCCL, its variants, and many others without NCCL in their name.
//
// A table with one row per naming convention. A kernel communicates if its name contains the `part` of any row. Case
// and underscores do not matter, so `all_reduce_kernel` also matches `oneShotAllReduceKernel`. Fused kernels that
// mainly multiply matrices are not in the table, even if they communicate too.
//
// One pass searches for all rows: three table look-ups per character give the rows that may start there. O(length).
#include <span>
#include <string_view>

namespace warpscope::trace {

struct CommunicationName {
  std::string_view part;     ///< in lower case; a leading `|` is the start of a word (`_` is part of a word)
  std::string_view library;  ///< libraries with such kernel names
};

[[nodiscard]] std::span<const CommunicationName> communication_names();

/// Returns the first row whose part the name contains, or nullptr. Searches only the first 512 characters.
[[nodiscard]] const CommunicationName* communication_name(std::string_view kernel);

}  // namespace warpscope::trace
