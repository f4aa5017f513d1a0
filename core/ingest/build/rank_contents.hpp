#pragma once
// Computes the rest of a rank after its lanes are built: devices and their busy time, annotations and steps, counters,
// the span.
#include <vector>

#include "core/ingest/build/metadata.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// Adds devices from the streams among the rank's tracks.
void add_devices(trace::Rank& rank);
/// Adds their models, if the file contains them.
void add_models(trace::Rank& rank, const std::vector<DeviceProperties>& properties);
/// Computes the busy time of one device and which of its streams communicate. Busy time is the union over the device's
/// streams of kernels, memcpys and memsets only. Thread-safe for different devices.
void add_busy_time(trace::Rank& rank, trace::Device& device, const trace::Categories& categories);
/// `annotations`: the slices that are annotations.
void add_annotations_and_steps(trace::Rank& rank, const std::vector<trace::SliceOrdinal>& annotations,
                               const trace::Dictionary& dictionary);
void add_counters(trace::Rank& rank, std::vector<PendingCounter> pending);
/// Sets the span from the first start to the last end of valid slices.
void add_span(trace::Rank& rank);

}  // namespace warpscope::ingest
