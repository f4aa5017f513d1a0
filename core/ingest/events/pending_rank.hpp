#pragma once
// What has been read of one file so far, before it is put in order: slices by thread and stream in the order of the
// file. The joiner fills it, build_rank() empties it.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/events/interner.hpp"
#include "core/ingest/events/pending_slices.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct PendingTrack {
  trace::TrackKind kind = trace::TrackKind::thread;
  std::int64_t process = 0;  ///< pid; device of a stream
  std::int64_t id = 0;       ///< tid; number of a stream
  std::string process_text;  ///< as the file writes them
  std::string thread_text;
  Ns base = 0;  ///< slices have their distance from it; within half the range of Ns
  PendingSlices slices;
  SparseNumbers begins;             ///< those of slices that say kFar, sorted
  SparseNumbers durations;          ///< those of slices that say kElsewhere, which those that say kFar do
  SparseNumbers correlations;       ///< likewise
  SparseNumbers bytes;              ///< those of slices that say kMoves
  std::vector<std::uint32_t> open;  ///< B events without their E so far: indices into slices

  /// Start of slices[index]. O(1), O(log n) of one that is far.
  [[nodiscard]] Ns begin_of(const PendingSlice& slice, std::uint32_t index) const {
    return slice.distance() == PendingSlice::kFar ? number_at(begins, index) : base + slice.distance();
  }
  /// Calls visit(slice, start) for each in order.
  template <class Visit>
  void for_each_begin(Visit visit) {
    auto far = begins.begin();
    slices.for_each([&](const PendingSlice& slice) {
      visit(slice, slice.distance() == PendingSlice::kFar ? (far++)->second : base + slice.distance());
    });
  }
};

/// One end of a forward → backward arrow.
struct PendingFlow {
  std::uint64_t id = 0;
  Ns time = 0;
  std::uint32_t track = 0;
  bool start = false;
};

struct PendingCounter {
  std::string name;
  std::vector<std::pair<Ns, float>> samples;
};

struct PendingRank {
  std::string file;
  Interner names{PendingSlice::kMostNames};
  std::vector<PendingTrack> tracks;
  std::vector<PendingFlow> flows;
  /// The dictionary's category for each that slices here have; empty: they have the dictionary's.
  std::vector<trace::CategoryId> categories;
  std::vector<PendingCounter> counters;
  std::map<std::pair<std::string, std::string>, std::string> thread_names;  ///< (pid, tid) as text → name
  std::map<std::string, std::string> metadata;                              ///< top-level keys → raw JSON
  std::uint64_t events = 0;
  std::uint64_t slices = 0;  ///< in all tracks
  Diagnostics diagnostics;
};

}  // namespace warpscope::ingest
