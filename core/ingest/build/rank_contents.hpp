#pragma once
// Computes the rest of a rank after its lanes are built: devices and their busy time, annotations and steps, counters,
// and the span. links.cpp adds connections: launch → GPU activity by correlation id, and forward → backward by flow id;
// graph_links.cpp adds those between the nodes of CUDA graphs.
#include <span>
#include <vector>

#include "core/ingest/build/metadata.hpp"
#include "core/ingest/build/track_builder.hpp"

namespace warpscope::ingest {

/// Adds the devices of the rank's streams.
void add_devices(trace::Rank& rank);
/// Adds the device models, if the file contains them.
void add_models(trace::Rank& rank, const std::vector<DeviceProperties>& properties);
/// Computes a device's busy time and determines which of its streams communicate. Busy time is the union of all
/// kernels, memcpys and memsets on the device's streams. May run concurrently for different devices.
void add_busy_time(trace::Rank& rank, trace::Device& device, const trace::Categories& categories);
void add_annotations_and_steps(trace::Rank& rank, const std::vector<trace::SliceOrdinal>& annotations,
                               const trace::Dictionary& dictionary);
void add_counters(trace::Rank& rank, std::vector<PendingCounter> pending);
/// Adds memory counters to `rank` for each device with samples: "GPU-0 memory allocated", "GPU-0 memory reserved",
/// "Host memory allocated". Uses the recorded totals if present; otherwise, memory in use starts at 0. O(n log n).
void add_memory_curves(trace::Rank& rank, std::vector<MemorySample> samples);
/// Sets the span from the first start to the last end of all valid slices.
void add_span(trace::Rank& rank);

/// Launches and GPU activity of all tracks, identified by the rank's slice ordinals.
struct CorrelatedSlices {
  BigVector<Correlated> launches;
  BigVector<Correlated> runs;
};

/// Fills rank.launches, the launch counts of its tracks, and the main target device of each host thread. If several
/// launches share an id (merged files, a wrapped counter), uses the nearest launch before the GPU activity and counts
/// the case in `diagnostics`. O(n log n); O(n) if ids increase with time.
void link_launches(trace::Rank& rank, CorrelatedSlices correlated, Diagnostics& diagnostics);

/// Fills rank.forward_backward. `slices[i]`: the slice that flows[i] binds to, or kNoSlice. O(n log n).
void link_flows(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const trace::SliceOrdinal> slices,
                Diagnostics& diagnostics);

/// A pending track without slices.
inline constexpr std::uint32_t kNoTrack = 0xFFFFFFFFu;
/// Fills rank.graph_edges. `track_of[t]`: the rank's track for the pending track t, or kNoTrack. Drops and counts
/// arrows without two nodes of the same launch, and arrows back in time. Requires rank.launches. O(n log n).
void link_graph_nodes(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const std::uint32_t> track_of,
                      Diagnostics& diagnostics);

}  // namespace warpscope::ingest
