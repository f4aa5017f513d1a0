#pragma once
// Finds when each rank arrives at a collective, or why a kernel is not part of one. Shared by the collectives analysis
// and the Timeline, so both show the same values.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

struct CollectiveArrival {
  std::uint32_t event = 0;  ///< index into JobEvents::events
  std::uint32_t rank = 0;   ///< index
  Interval time;            ///< on the clock of the timing
  Ns wait = 0;              ///< from the rank's start to the start of the last rank
  Ns transfer = 0;          ///< the rest of its kernel
  Ns behind = 0;            ///< its start minus that of the second to last rank; positive only for the last rank
  bool last = false;        ///< the others wait for it
};

/// Returns the members of a collective, sorted by start.
[[nodiscard]] std::vector<CollectiveArrival> arrivals_of(const JobCollectives& matches, const JobCollective& collective,
                                                         const CollectiveTiming& timing);

/// Returns which rank arrived last and by how much: "Rank 5 arrived 3.58 ms after rank 2 and 4.10 ms after the median
/// rank, rank 1."
[[nodiscard]] std::string arrival_sentence(const trace::Profile& profile, const RankComparison& comparison,
                                           const JobCollective& collective, const CollectiveTiming& timing);

/// Returns the size of a call in bytes: the larger of the rank's input and output, as in nccl-tests; -1 if unknown.
[[nodiscard]] std::int64_t bytes_of(const CommunicationEvent& event);

/// Returns a group's name: "default_pg" or, for sends and receives, "default_pg 0→4".
[[nodiscard]] std::string label_of(const CollectiveGroup& group);

/// Looks up events by slice.
class EventsBySlice {
 public:
  EventsBySlice() = default;
  /// O(n log n).
  explicit EventsBySlice(const JobEvents& job);
  /// Returns the event index of a slice (rank index, ordinal), or nullopt. O(log n).
  [[nodiscard]] std::optional<std::uint32_t> find(const JobEvents& job, std::uint32_t rank,
                                                  trace::SliceOrdinal slice) const;

 private:
  std::vector<std::uint32_t> order_;  // by rank, then by slice
};

/// Explains why an event is not part of a matched collective, for example "Rank 3 is excluded: another file also
/// contains rank 3."; "" if it is. O(events).
[[nodiscard]] std::string unmatched_reason(const trace::Profile& profile, const JobCollectives& matches,
                                           std::uint32_t event);

}  // namespace warpscope::analysis
