#pragma once
// The events of a stretch of text, understood as far as that stretch alone allows: complete slices, and what has yet
// to find its counterpart before or behind it. Any thread makes one; the joiner adds them to the rank in the order of
// the file.
//
// Names, tracks and categories are numbered by who fills the batches (see EventCollector): a batch brings those that
// its collector met for the first time in it, so nothing is said twice, and no string is handled for a slice whose name
// was seen before.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/events/pending_slices.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Where slices of a category go: a track and a category, as the file writes them. Views live as long as the collector.
struct SlicePlaceText {
  trace::TrackKind kind = trace::TrackKind::thread;
  std::string_view process;
  std::string_view thread;
  std::string_view category;
};

/// A slice with its collector's numbers for its name and place. Flags and numbers are those of PendingSlice.
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
  std::uint32_t slices = 0;  ///< how many of the batch stand before it; a beginning's own is the last of them
  std::uint32_t name = 0;
  std::uint32_t thread_place = 0;  ///< of an end: where its beginning may be …
  std::uint32_t stream_place = 0;  ///< … or else is
  std::string key;                 ///< of an asynchronous edge: category, id and name
};

struct BatchFlow {
  std::uint64_t id = 0;
  Ns time = 0;
  std::uint32_t place = 0;
  bool start = false;
};

struct BatchSample {
  std::uint32_t counter = 0;  ///< a name
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
  std::vector<ThreadName> thread_names;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< top-level keys → raw JSON
  SparseNumbers durations;                    ///< those of slices that say kElsewhere, by index in the batch
  SparseNumbers correlations;                 ///< likewise
  SparseNumbers bytes;                        ///< those of slices that say kMoves, likewise
  std::vector<std::string_view> fresh_names;  ///< numbers go on from the collector's last batch
  std::vector<SlicePlaceText> fresh_places;   ///< likewise
  std::uint64_t events = 0;
  Diagnostics diagnostics;

  [[nodiscard]] bool empty() const { return events == 0 && diagnostics.empty(); }
  /// Forgets everything but its memory.
  void clear() {
    slices.clear();
    edges.clear();
    flows.clear();
    samples.clear();
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
