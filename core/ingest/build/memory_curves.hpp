#pragma once
// Counters of the memory that PyTorch allocated and reserved on each device, computed from its memory events. They are
// computed when a file is read, like the counters of the trace, so the store has them too.
#include <vector>

#include "core/ingest/events/memory_event.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Adds "GPU-0 memory allocated", "GPU-0 memory reserved", "Host memory allocated" to the counters of `rank`, for each
/// device with samples. Uses recorded totals; without them, memory in use starts at 0. O(n log n).
void add_memory_curves(trace::Rank& rank, std::vector<MemorySample> samples);

}  // namespace warpscope::ingest
