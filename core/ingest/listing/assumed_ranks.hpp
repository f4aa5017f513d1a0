#pragma once
// Assigns ranks, by file order, to files that have no rank in their content or name. Files that PyTorch's usual names
// assign to one process (`host_pid.time.pt.trace.json`) share a rank, because a process writes a file per cycle of its
// schedule.
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the fallback rank of each source, counted from 0 in their order.
[[nodiscard]] std::vector<std::int64_t> assumed_ranks(std::span<const trace::SourceFile> sources);

}  // namespace warpscope::ingest
