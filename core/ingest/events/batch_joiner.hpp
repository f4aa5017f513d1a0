#pragma once
// Puts batches of events together to the rank they are of, in the order of the file: numbers of a collector become
// those of the rank, ends find their beginnings. What comes out depends on the file alone, not on how it was cut into
// batches or who filled them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ingest/events/event_batch.hpp"
#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest {

class BatchJoiner {
 public:
  /// Slices that a rank may have: one less than ordinals can name.
  static constexpr std::uint64_t kMostSlices = 0xFFFFFFFEu;

  /// Fills `rank`; both must outlive the joiner. Slices beyond `most_slices` are counted and left out.
  BatchJoiner(PendingRank& rank, trace::Categories& categories, std::uint64_t most_slices = kMostSlices);

  /// The next events of the file, from the collector of this number: small ones, as of an index. O(events).
  void join(std::size_t collector, EventBatch& batch);
  /// This batch is not part of the rank, but later ones of its collector refer to what it met first.
  void pass_over(std::size_t collector, const EventBatch& batch);
  /// Call once after the last event: what was begun and never ended becomes a mark.
  void finish();

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFFu;
  struct Place {
    std::uint32_t track = kUnknown;
    trace::CategoryId category = 0;
    bool correlates = false;
  };
  /// What a collector's numbers mean; found out when they are first used, so that a batch passed over leaves no trace.
  struct Numbers {
    std::vector<std::string_view> name_texts;
    std::vector<std::uint32_t> names;
    std::vector<SlicePlaceText> place_texts;
    std::vector<Place> places;
    std::vector<std::uint32_t> counters;  // by name
  };
  struct SliceAt {
    std::uint32_t track = kUnknown;
    std::uint32_t index = 0;
  };

  const Place& place_of(Numbers& numbers, std::uint32_t place);
  std::uint32_t track_of(const SlicePlaceText& text);
  std::uint32_t name_of(Numbers& numbers, std::uint32_t name);
  std::uint32_t counter_of(Numbers& numbers, std::uint32_t name);
  void append(Numbers& numbers, const EventBatch& batch, std::uint32_t first, std::uint32_t last);
  void apply(Numbers& numbers, const BatchEdge& edge);
  void note_lonely_end(const Numbers& numbers, const BatchEdge& edge);

  PendingRank& rank_;
  trace::Categories& categories_;
  std::uint64_t most_slices_;
  std::uint64_t refused_ = 0;
  std::uint64_t first_refused_ = 0;
  std::optional<Ns> base_;  // of all tracks, once there are slices
  SliceAt last_;            // the slice appended last; of no track if it was refused
  std::vector<Numbers> numbers_;
  std::unordered_map<std::string, std::uint32_t> tracks_;
  std::unordered_map<std::string, std::uint32_t> counters_;
  std::unordered_map<std::string, SliceAt> async_open_;
};

}  // namespace warpscope::ingest
