#pragma once
// Links causes and effects within one rank, after its lanes are built: launch → GPU activity by correlation id, forward
// → backward by flow id.
#include <span>
#include <vector>

#include "core/ingest/build/track_builder.hpp"

namespace warpscope::ingest {

/// Slices of all tracks of a rank, with the rank's ordinals.
struct CorrelatedSlices {
  BigVector<Correlated> launches;
  BigVector<Correlated> runs;
};

/// Fills rank.launches, the launch counts of its tracks, and the device that each host thread launches to most. If
/// several launches share one id (merged files, a counter that wrapped), uses the nearest one before the GPU activity
/// and counts the case in `diagnostics`. O(n log n), O(n) if ids grow with time.
void link_launches(trace::Rank& rank, CorrelatedSlices correlated, Diagnostics& diagnostics);

/// Fills rank.forward_backward. `slices`: the slice of each flow, or kNoSlice. O(n log n).
void link_flows(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const trace::SliceOrdinal> slices,
                Diagnostics& diagnostics);

}  // namespace warpscope::ingest
