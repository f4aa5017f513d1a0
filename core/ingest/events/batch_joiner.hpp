#pragma once
// Adds event batches to their rank in file order: maps collector ids to rank ids and matches range ends with their
// starts. The result depends only on the file, not on how it was split into batches or which threads filled them.
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
  /// Maximum number of slices in a rank, one less than ordinals can address.
  static constexpr std::uint64_t kMostSlices = 0xFFFFFFFEu;

  /// Fills `rank`; both arguments must outlive the joiner. Slices beyond `most_slices` are counted but dropped.
  BatchJoiner(PendingRank& rank, trace::Categories& categories, std::uint64_t most_slices = kMostSlices);

  /// Appends the file's next events. `collector` is a small number, used as an array index. O(events).
  void join(std::size_t collector, EventBatch& batch);
  /// Skips a batch that is not part of the rank, but keeps names that later batches from its collector use.
  void pass_over(std::size_t collector, const EventBatch& batch);
  /// Converts ranges that started but never ended into marks. Call once, after the last event.
  void finish();

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFFu;
  struct Place {
    std::uint32_t track = kUnknown;
    trace::CategoryId category = 0;
    bool correlates = false;
  };
  /// Maps a collector's ids to the rank's ids. Resolved on first use, so a skipped batch has no effect.
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
  [[gnu::noinline]] Place new_place(const SlicePlaceText& text);
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
  std::optional<Ns> base_;  // of all tracks; set with the first slices
  SliceAt last_;            // the last slice appended; no track if it was rejected
  std::vector<Numbers> numbers_;
  std::unordered_map<std::string, std::uint32_t> tracks_;
  std::unordered_map<std::string, std::uint32_t> counters_;
  std::unordered_map<std::string, SliceAt> async_open_;
};

}  // namespace warpscope::ingest
