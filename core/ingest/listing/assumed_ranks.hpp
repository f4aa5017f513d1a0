#pragma once
// Ranks of files that contain none and whose names contain none, from the order of the files. Files that PyTorch's
// usual names assign to one process (`host_pid.time.pt.trace.json`) share a rank, because a process writes a file per
// cycle of its schedule.
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the rank of last resort of each source, counted from 0 in their order.
[[nodiscard]] std::vector<std::int64_t> assumed_ranks(std::span<const trace::SourceFile> sources);

}  // namespace warpscope::ingest
