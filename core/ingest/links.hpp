#pragma once
// Joins what caused what within one rank, once its lanes stand: launch → run by correlation id, forward → backward by
// flow id.
#include <span>
#include <vector>

#include "core/ingest/lane_builder.hpp"

namespace warpscope::ingest {

/// Fills rank.launches, the launch counts of its tracks and the device each host thread launches to most. Where several
/// launches carry one id (merged files, a wrapped counter) the nearest one before the run is taken and counted as a
/// diagnostic. O(n log n).
void link_launches(trace::Rank& rank, CorrelatedSlices correlated);

/// Fills rank.forward_backward. `track_of`: from the flows' track numbers to rank.tracks, kNone where it has no lanes.
/// An arrow binds to the innermost slice that begins at its time, else to the innermost that holds it. O(n log n).
void link_flows(trace::Rank& rank, std::vector<PendingFlow> flows, std::span<const std::uint32_t> track_of);

}  // namespace warpscope::ingest
