#pragma once
// Names of kernels that move data between ranks: NCCL, its variants, and many kernels whose names do not contain NCCL.
//
// A table with one row per naming convention. A kernel counts as communication if its name contains the `part` of any
// row. Case and underscores are ignored, so `all_reduce_kernel` also matches `oneShotAllReduceKernel`. Fused kernels
// that are mostly matmuls are excluded, even if they also communicate.
//
// A single pass searches for all rows: three table lookups per character determine which rows may match at that
// position. O(length).
#include <span>
#include <string_view>

namespace warpscope::trace {

struct CommunicationName {
  std::string_view part;     ///< lowercase; a leading `|` marks the start of a word (`_` is part of a word)
  std::string_view library;  ///< libraries whose kernels have such names
};

[[nodiscard]] std::span<const CommunicationName> communication_names();

/// Returns the first row whose `part` occurs in the name, or nullptr. Searches only the first 512 characters.
[[nodiscard]] const CommunicationName* communication_name(std::string_view kernel);

}  // namespace warpscope::trace
