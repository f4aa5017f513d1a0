#pragma once
// Assigns ranks in file order to files with no rank in their content or name. Files whose names
// (`host_pid.time.pt.trace.json`) identify the same process share a rank, because a process writes one file per cycle
// of its profiler schedule.
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the fallback rank of each source, numbered from 0 in source order.
[[nodiscard]] std::vector<std::int64_t> assumed_ranks(std::span<const trace::SourceFile> sources);

}  // namespace warpscope::ingest
