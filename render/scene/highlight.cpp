#include "render/scene/highlight.hpp"

#include <algorithm>

namespace warpscope::scene {

namespace {

Highlight::LaneHits make_lane(const trace::Profile& profile, std::uint32_t rank_index, std::uint32_t lane_index,
                              std::span<const trace::SliceRef> hits) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const trace::Lane& lane = rank.lanes[lane_index];
  const trace::SliceOrdinal base = rank.lane_start[lane_index];
  Highlight::LaneHits result{.rank = rank_index, .lane = lane_index, .tree = {}, .indices = {}};
  if (lane.folded()) {
    std::vector<Interval> intervals;
    intervals.reserve(hits.size());
    for (const trace::SliceRef& hit : hits)
      intervals.push_back({lane.time().begin(hit.slice - base), lane.time().end(hit.slice - base)});
    result.tree = trace::merged_intervals(intervals);
    return result;
  }
  trace::TimeColumn time;
  time.reserve(hits.size());
  std::vector<trace::Family> families;
  families.reserve(hits.size());
  result.indices.reserve(hits.size());
  for (const trace::SliceRef& hit : hits) {
    const std::uint32_t i = hit.slice - base;
    time.push_back(lane.time().begin(i), lane.time().duration(i));
    families.push_back(lane.tree().family(i));
    result.indices.push_back(i);
  }
  result.tree = trace::IntervalTree(std::move(time), families);
  return result;
}

}  // namespace

Highlight::Highlight(const trace::Profile& profile, std::vector<trace::SliceRef> found) : count_(found.size()) {
  std::sort(found.begin(), found.end());
  const std::span<const trace::SliceRef> hits = found;
  for (std::size_t first = 0; first < hits.size();) {
    const std::uint32_t rank = hits[first].rank;
    const std::uint32_t lane = profile.ranks[rank]->locate(hits[first].slice).lane;
    const trace::SliceOrdinal end = profile.ranks[rank]->lane_start[lane + 1];
    const auto last = static_cast<std::size_t>(
        std::lower_bound(hits.begin() + static_cast<std::ptrdiff_t>(first), hits.end(), trace::SliceRef{rank, end}) -
        hits.begin());
    lanes_.push_back(make_lane(profile, rank, lane, hits.subspan(first, last - first)));
    first = last;
  }
}

const Highlight::LaneHits* Highlight::find(std::uint32_t rank, std::uint32_t lane) const {
  const auto found = std::ranges::lower_bound(lanes_, std::pair(rank, lane), {},
                                              [](const LaneHits& hits) { return std::pair(hits.rank, hits.lane); });
  return found != lanes_.end() && found->rank == rank && found->lane == lane ? &*found : nullptr;
}

}  // namespace warpscope::scene
