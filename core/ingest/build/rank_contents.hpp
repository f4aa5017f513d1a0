#pragma once
// What a rank has beside its lanes and links, found out once its lanes stand: devices and how busy they were,
// annotations and steps, counters, the span.
#include <vector>

#include "core/ingest/build/metadata.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// Devices from the streams among the rank's tracks.
void add_devices(trace::Rank& rank);
/// Their models, as far as the file tells.
void add_models(trace::Rank& rank, const std::vector<DeviceProperties>& properties);
/// Of one device, and which of its streams communicate. Busy is a union over the device's streams, of kernels, copies
/// and sets only. Devices may be done at the same time.
void add_busy_time(trace::Rank& rank, trace::Device& device, const trace::Categories& categories);
/// `annotations`: the slices that are.
void add_annotations_and_steps(trace::Rank& rank, const std::vector<trace::SliceOrdinal>& annotations,
                               const trace::Dictionary& dictionary);
void add_counters(trace::Rank& rank, std::vector<PendingCounter> pending);
/// From the first begin to the last end of what is possible.
void add_span(trace::Rank& rank);

}  // namespace warpscope::ingest
