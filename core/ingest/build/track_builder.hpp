#pragma once
// Builds lanes from slices in file order: one thread or stream per call, so several tracks can be built at once. Also
// records other data the rank needs (slices with correlation ids, flow arrow endpoints, annotations). Slices are
// numbered within the track: slice 0 is the first slice of the first lane.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/big_vector.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/build/damage.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// Properties of the names in a file, by local id.
struct NameFacts {
  static constexpr std::uint8_t kCommunicates = 1;  ///< a kernel with this name moves data between ranks
  static constexpr std::uint8_t kStep = 2;          ///< an operator with this name is a training step
  static constexpr std::uint8_t kTransfer = 4;      ///< GPU activity with this name transfers memory
  static constexpr std::uint8_t kWaits = 8;         ///< GPU activity with this name waits

  std::vector<NameId> id;  ///< ids in the profile's table
  std::vector<std::uint8_t> flags;
};

/// Adds the names to the dictionary. O(names).
[[nodiscard]] NameFacts publish_names(const Interner& names, trace::Dictionary& dictionary);

/// A launch or GPU activity with its correlation id. About a third of all slices have such an id. Start and track are
/// omitted to save memory, because they are needed only for ambiguous ids.
class Correlated {
 public:
  Correlated() = default;
  Correlated(std::int64_t correlation, trace::SliceOrdinal slice)
      : low_(static_cast<std::uint32_t>(correlation)),
        high_(static_cast<std::int32_t>(correlation >> 32)),
        slice_(slice) {}
  [[nodiscard]] std::int64_t correlation() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(high_)) << 32 | low_);
  }
  [[nodiscard]] trace::SliceOrdinal slice() const { return slice_; }

 private:
  std::uint32_t low_ = 0;  // two halves: one 8-byte member would make the object 16 bytes
  std::int32_t high_ = 0;
  trace::SliceOrdinal slice_ = 0;
};
static_assert(sizeof(Correlated) == 12);

inline constexpr trace::SliceOrdinal kNoSlice = 0xFFFFFFFFu;

/// An endpoint of a flow arrow. `flow` is an index into PendingRank::flows.
struct TrackFlow {
  Ns time = 0;
  std::uint32_t flow = 0;
  trace::SliceOrdinal slice = kNoSlice;
};

/// Output of all sections of a track; each section appends to it.
struct TrackParts {
  std::vector<trace::Lane> lanes;
  BigVector<Correlated> launches;  ///< sorted by start within each lane
  BigVector<Correlated> runs;      ///< same
  std::vector<trace::SliceOrdinal> annotations;
  std::vector<trace::Transfers::Transfer> transfers;
};

struct BuiltTrack : TrackParts {
  std::vector<std::pair<trace::CategoryId, std::uint64_t>> by_category;  ///< counts of counted slices
  std::uint64_t waits = 0;                                               ///< of these, GPU activity that waits
  std::vector<TrackFlow> flows;                                          ///< as passed in, with slices filled in
  DamageReport damage;
};

/// State shared by all tracks of a rank during construction.
struct TrackContext {
  const NameFacts& names;
  const trace::Categories& categories;
  Possible possible;
  std::span<const trace::CategoryId> own_categories;  ///< PendingRank::categories
  const CancelToken* cancel = nullptr;                ///< may be null; after cancellation the result is unusable
};

/// Consumes the slices of `pending`, which must be settled, and frees their memory along the way. An arrow endpoint
/// binds to the innermost slice starting at its time, or else to the innermost slice containing it. O(n log k) for k
/// sorted runs, see natural_merge.hpp.
[[nodiscard]] BuiltTrack build_track(PendingTrack& pending, std::vector<TrackFlow> flows, const TrackContext& context);

}  // namespace warpscope::ingest
