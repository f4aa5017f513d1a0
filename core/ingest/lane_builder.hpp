#pragma once
// From slices in the order of a file to lanes: one thread or stream at a time. What the joins need later (who carries
// which correlation id) is noted on the way; everything else of a slice moves into its lane's columns.
#include <span>
#include <vector>

#include "core/ingest/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// A launch or a run that carries a correlation id.
struct Correlated {
  std::int64_t correlation = 0;
  Ns begin = 0;
  trace::SliceOrdinal slice = 0;
  std::uint32_t track = 0;
};

struct CorrelatedSlices {
  std::vector<Correlated> launches;
  std::vector<Correlated> runs;
};

/// What is known of each name of a file, by its local id.
struct NameFacts {
  std::vector<NameId> id;                   ///< in the profile's table
  std::vector<std::uint8_t> communication;  ///< 1 if a kernel of this name communicates
};

/// Puts the names into the dictionary. O(names).
[[nodiscard]] NameFacts publish_names(const Interner& names, trace::Dictionary& dictionary);

/// Appends the track and its lanes to `rank` and empties `pending.slices`. Overlaps are counted in rank.diagnostics.
/// O(n log n), O(n) where the file is in order.
void add_track(trace::Rank& rank, PendingTrack& pending, const NameFacts& names, const trace::Dictionary& dictionary,
               std::span<const std::int64_t> correlations, CorrelatedSlices& correlated);

}  // namespace warpscope::ingest
