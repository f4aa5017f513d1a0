#include "core/analysis/slices/search.hpp"

#include <algorithm>
#include <queue>

namespace warpscope::analysis {

namespace {

constexpr std::uint32_t kChunk = 8192;  // slices between checks of the cancel token

struct Found {
  Ns begin;
  trace::SliceRef slice;

  friend auto operator<=>(const Found&, const Found&) = default;
};

/// Keeps the earliest `limit` elements.
class Earliest {
 public:
  explicit Earliest(std::size_t limit) : limit_(limit) {}

  void add(Found found) {
    if (found_.size() < limit_) return found_.push(found);
    if (limit_ == 0 || !(found < found_.top())) return;
    found_.pop();
    found_.push(found);
  }

  std::vector<trace::SliceRef> take() {
    std::vector<trace::SliceRef> slices(found_.size());
    for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice, found_.pop()) *slice = found_.top().slice;
    return slices;
  }

 private:
  std::size_t limit_;
  std::priority_queue<Found> found_;  // the latest on top
};

// Returns false if cancelled.
bool search_lane(const SliceMatcher& matcher, std::uint32_t rank_index, std::uint32_t lane_index,
                 const CancelToken* cancel, Earliest& earliest, SearchResult& result) {
  const LaneMatcher lane_matcher = matcher.lane(rank_index, lane_index);
  if (lane_matcher.truth() == Truth::no) return true;
  const trace::Rank& rank = *matcher.profile().ranks[rank_index];
  const trace::Lane& lane = rank.lanes[lane_index];
  const trace::SliceOrdinal first_ordinal = rank.lane_start[lane_index];
  const trace::TimeColumn& time = lane.time();
  for (std::uint32_t chunk = 0; chunk < lane.size(); chunk += std::min(kChunk, lane.size() - chunk)) {
    if (cancel != nullptr && cancel->cancelled()) return false;
    const std::uint32_t end = chunk + std::min(kChunk, lane.size() - chunk);
    for (std::uint32_t i = chunk; i < end; ++i) {
      if (!lane_matcher.matches(i)) continue;
      ++result.total;
      result.duration = saturating_add(result.duration, time.duration(i));
      earliest.add({time.begin(i), {rank_index, first_ordinal + i}});
    }
  }
  return true;
}

}  // namespace

SearchResult search(const SliceMatcher& matcher, const SearchOptions& options) {
  SearchResult result;
  Earliest earliest(options.limit);
  const trace::Profile& profile = matcher.profile();
  for (std::uint32_t rank = 0; rank < profile.ranks.size() && !result.cancelled; ++rank) {
    const auto lanes = static_cast<std::uint32_t>(profile.ranks[rank]->lanes.size());
    for (std::uint32_t lane = 0; lane < lanes && !result.cancelled; ++lane)
      result.cancelled = !search_lane(matcher, rank, lane, options.cancel, earliest, result);
  }
  result.slices = earliest.take();
  return result;
}

}  // namespace warpscope::analysis
