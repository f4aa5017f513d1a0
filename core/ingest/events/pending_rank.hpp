#pragma once
// Contents of a partially read file before sorting: slices per thread and stream, in file order. The joiner fills it;
// build_rank() consumes it.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/events/interner.hpp"
#include "core/ingest/events/memory_event.hpp"
#include "core/ingest/events/pending_slices.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct PendingTrack {
  trace::TrackKind kind = trace::TrackKind::thread;
  std::int64_t process = 0;  ///< pid; for a stream, the device
  std::int64_t id = 0;       ///< tid; stream number
  std::string process_text;  ///< as written in the file
  std::string thread_text;
  Ns base = 0;  ///< slices store distances from this; within half the range of Ns
  PendingSlices slices;
  SparseNumbers begins;             ///< starts of slices with kFar, sorted
  SparseNumbers durations;          ///< of slices with kElsewhere, which includes those with kFar
  SparseNumbers correlations;       ///< of slices with kElsewhere
  SparseNumbers bytes;              ///< of slices with kMoves
  std::vector<std::uint32_t> open;  ///< B events without an E so far: indices into slices

  /// Returns the start of slices[index]. O(1), or O(log n) for a kFar slice.
  [[nodiscard]] Ns begin_of(const PendingSlice& slice, std::uint32_t index) const {
    return slice.distance() == PendingSlice::kFar ? number_at(begins, index) : base + slice.distance();
  }
  /// Sorts the side tables that may hold several entries for a slice; keeps the last one. Call it once all slices are
  /// added.
  void settle();
  /// Calls visit(slice, start, duration) for each slice, in order. Requires settle().
  template <class Visit>
  void for_each_time(Visit visit) {
    auto far = begins.begin();
    std::uint32_t index = 0;
    slices.for_each([&](const PendingSlice& slice) {
      visit(slice, slice.distance() == PendingSlice::kFar ? (far++)->second : base + slice.distance(),
            slice.duration == kElsewhere ? number_at(durations, index) : Ns{slice.duration});
      ++index;
    });
  }
};

/// One end of an arrow: forward → backward, or between nodes of a CUDA graph.
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

/// One file in a group.
struct TextPart {
  std::string path;
  std::uint64_t begin = 0;  ///< offset of the file's text in the group's text
};

/// One of several ranks in a file.
struct RankInFile {
  std::string label;        ///< see is_rank_label (core/base/file_group.hpp)
  std::int64_t number = 0;  ///< the rank
  bool in_order = false;    ///< the label is not a rank, so `number` is the index in the file
  std::size_t ranks = 0;    ///< number of ranks in the file
};

struct PendingRank {
  std::string file;
  std::vector<TextPart> parts;  ///< of a group, ascending; offsets in diagnostics are then relative to the group
  Interner names{PendingSlice::kMostNames};
  std::vector<PendingTrack> tracks;
  std::vector<PendingFlow> flows;        ///< forward → backward
  std::vector<PendingFlow> graph_flows;  ///< on streams
  /// Maps the slices' category ids to dictionary ids; empty if the slices already use dictionary ids.
  std::vector<trace::CategoryId> categories;
  std::vector<PendingCounter> counters;
  std::vector<MemorySample> memory;
  std::map<std::pair<std::string, std::string>, std::string> thread_names;  ///< (pid, tid) as text → name
  std::map<std::string, std::string> metadata;                              ///< top-level keys → raw JSON
  std::uint64_t events = 0;
  std::uint64_t slices = 0;  ///< in all tracks
  Diagnostics diagnostics;
};

}  // namespace warpscope::ingest
