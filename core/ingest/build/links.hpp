#pragma once
// Joins what caused what within one rank, once its lanes stand: launch → run by correlation id, forward → backward by
// flow id.
#include <span>
#include <vector>

#include "core/ingest/build/track_builder.hpp"

namespace warpscope::ingest {

/// Of all tracks of a rank, with the rank's ordinals.
struct CorrelatedSlices {
  BigVector<Correlated> launches;
  BigVector<Correlated> runs;
};

/// Fills rank.launches, the launch counts of its tracks and the device each host thread launches to most. Where several
/// launches carry one id (merged files, a wrapped counter) the nearest one before the run is taken and counted in
/// `diagnostics`. O(n log n), O(n) where ids grow with time.
void link_launches(trace::Rank& rank, CorrelatedSlices correlated, Diagnostics& diagnostics);

/// Fills rank.forward_backward. `slices`: of each flow its slice, or kNoSlice. O(n log n).
void link_flows(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const trace::SliceOrdinal> slices,
                Diagnostics& diagnostics);

}  // namespace warpscope::ingest
