#pragma once
// Events from a span of text, resolved as far as that text allows: complete slices, and range halves whose other half
// is elsewhere. Any thread can fill a batch; the joiner adds batches to the rank in file order.
//
// Names, tracks and categories are numbered by the collector that fills the batches (see EventCollector). Each batch
// lists only those that are new to its collector, so nothing is sent twice, and slices with known names need no string
// handling.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/events/memory_event.hpp"
#include "core/ingest/events/pending_slices.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Destination of slices: a track and a category, as written in the file. Views are valid for the lifetime of the
/// collector.
struct SlicePlaceText {
  trace::TrackKind kind = trace::TrackKind::thread;
  std::string_view process;
  std::string_view thread;
  std::string_view category;
};

/// A slice whose name and place are collector ids. Flags and numbers as in PendingSlice.
struct BatchSlice {
  Ns begin = 0;
  std::uint64_t offset_and_flags = 0;  ///< the flags in the lowest byte
  std::uint32_t duration = 0;
  std::uint32_t correlation = 0;
  std::uint32_t name = 0;
  std::uint32_t place = 0;

  [[nodiscard]] std::uint64_t offset() const { return offset_and_flags >> 8; }
  [[nodiscard]] std::uint8_t flags() const { return static_cast<std::uint8_t>(offset_and_flags); }
};
static_assert(sizeof(BatchSlice) == 32);

/// One half of a range.
struct BatchEdge {
  enum class Kind : std::uint8_t { begin, end, async_begin, async_end };
  Kind kind = Kind::begin;
  bool has_time = false;
  Ns time = 0;
  std::uint64_t offset = 0;
  std::uint32_t slices = 0;  ///< number of preceding slices in the batch; for a start, includes its own slice
  std::uint32_t name = 0;
  std::uint32_t thread_place = 0;  ///< for an end: place of its start, either this …
  std::uint32_t stream_place = 0;  ///< … or this
  std::string key;                 ///< for an asynchronous edge: category, id and name
};

struct BatchFlow {
  std::uint64_t id = 0;
  Ns time = 0;
  std::uint32_t place = 0;
  bool start = false;
  bool of_graph = false;  ///< between nodes of a CUDA graph
};

struct BatchSample {
  std::uint32_t counter = 0;  ///< name id
  float value = 0;
  Ns time = 0;
};

struct ThreadName {
  std::string process;
  std::string thread;
  std::string name;
};

struct EventBatch {
  std::vector<BatchSlice> slices;
  std::vector<BatchEdge> edges;
  std::vector<BatchFlow> flows;
  std::vector<BatchSample> samples;
  std::vector<MemorySample> memory;
  std::vector<ThreadName> thread_names;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< top-level keys → raw JSON
  SparseNumbers durations;                                    ///< of slices with kElsewhere, by index in the batch
  SparseNumbers correlations;                                 ///< same
  SparseNumbers bytes;                                        ///< of slices with kMoves, by index in the batch
  std::vector<std::string_view> fresh_names;                  ///< numbering continues from the collector's last batch
  std::vector<SlicePlaceText> fresh_places;                   ///< same
  std::uint64_t events = 0;
  Diagnostics diagnostics;

  [[nodiscard]] bool empty() const { return events == 0 && diagnostics.empty(); }
  /// Clears the batch but keeps its memory.
  void clear() {
    slices.clear();
    edges.clear();
    flows.clear();
    samples.clear();
    memory.clear();
    thread_names.clear();
    metadata.clear();
    durations.clear();
    correlations.clear();
    bytes.clear();
    fresh_names.clear();
    fresh_places.clear();
    events = 0;
    diagnostics = {};
  }
};

}  // namespace warpscope::ingest
