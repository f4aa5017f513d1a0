#pragma once
// Finds the host event that allocated memory: the innermost one on the thread of a "[memory]" event. PyTorch's table
// counts an allocation in the events of all threads at that time.
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

/// Returns for each change the innermost event (index) on its thread that `counts`; HostEvent::kNone without one.
/// `events`: HostEvents::events() of the rank. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> owners_of(const trace::Rank& rank, const std::vector<HostEvent>& events,
                                                   std::span<const MemoryChange> changes,
                                                   const std::function<bool(const HostEvent&)>& counts);

}  // namespace warpscope::analysis
