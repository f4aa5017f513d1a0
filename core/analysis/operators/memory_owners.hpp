#pragma once
// Finds the host event that allocated memory: the innermost event around a "[memory]" event on the same thread.
// PyTorch's table instead counts an allocation toward the events open on all threads at that time.
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

/// Returns, for each change, the index of the innermost event on its thread for which `counts` returns true;
/// HostEvent::kNone if there is none. `events`: HostEvents::events() of the rank. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> owners_of(const trace::Rank& rank, const std::vector<HostEvent>& events,
                                                   std::span<const MemoryChange> changes,
                                                   const std::function<bool(const HostEvent&)>& counts);

}  // namespace warpscope::analysis
