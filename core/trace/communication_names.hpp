#pragma once
// Names of kernels that move data between ranks: NCCL and its relatives, and the many kernels that are not called NCCL.
//
// The table is data, one row per naming habit. A kernel communicates if its name contains the `part` of any row. Case
// and underscores do not matter, so `all_reduce_kernel` also finds `oneShotAllReduceKernel`. Fused kernels that mainly
// multiply matrices are not in the table, whatever they send on the side.
//
// All rows are searched at once: three table look-ups a character give the rows that may start there. O(length).
#include <span>
#include <string_view>

namespace warpscope::trace {

struct CommunicationName {
  std::string_view part;     ///< in lower case; a leading `|` is the start of a word (`_` is part of a word)
  std::string_view library;  ///< who names its kernels so
};

[[nodiscard]] std::span<const CommunicationName> communication_names();

/// The first row whose part the name contains, or nullptr. Only the first 512 characters count.
[[nodiscard]] const CommunicationName* communication_name(std::string_view kernel);

}  // namespace warpscope::trace
