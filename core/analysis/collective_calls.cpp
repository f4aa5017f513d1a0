#include "core/analysis/collective_calls.hpp"

#include <algorithm>

#include "core/trace/lane_assignment.hpp"

namespace warpscope::analysis {

namespace {

/// False for lanes of Python frames and runtime calls alone, whose names need not be read.
bool may_hold_calls(const trace::Lane& lane) {
  constexpr auto bit = [](trace::Family family) { return 1U << static_cast<unsigned>(family); };
  return lane.kind() == trace::LaneKind::nested &&
         (lane.tree().families_present() & (bit(trace::Family::op) | bit(trace::Family::annotation))) != 0;
}

/// True if the call ends later than one of the slices that it starts in.
bool outlives(const trace::Rank& rank, const trace::Track& track, std::uint32_t lane, const Interval& call) {
  for (std::uint32_t l = track.first_lane; l < lane; ++l) {
    const trace::Lane& above = rank.lanes[l];
    if (rank.rows_of(l) != rank.rows_of(lane)) continue;
    const std::uint32_t open = above.tree().at(call.begin);
    if (open != trace::IntervalTree::kNone && above.tree().time().end(open) < call.end - trace::kNestTolerance)
      return true;
  }
  return false;
}

std::vector<Interval> joined_calls(std::vector<Interval> calls) {
  std::ranges::sort(calls, {}, [](const Interval& call) { return call.begin; });
  std::vector<Interval> joined;
  for (const Interval& call : calls) {
    if (!joined.empty() && call.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, call.end);
    else
      joined.push_back(call);
  }
  return joined;
}

}  // namespace

bool is_collective_call(std::string_view name) {
  return name == "record_param_comms" || name.starts_with("nccl:") || name.starts_with("c10d::");
}

CollectiveCalls::CollectiveCalls(const trace::Profile& profile) : profile_(profile), by_rank_(profile.ranks.size()) {
  starts_collective_.resize(profile.names().size());
  for (NameId id = 0; id < starts_collective_.size(); ++id) {
    const bool starts = is_collective_call(profile.names().view(id));
    starts_collective_[id] = starts ? 1 : 0;
    any_ = any_ || starts;
  }
}

CollectiveCalls::ByTrack CollectiveCalls::calls_of(const trace::Rank& rank) const {
  ByTrack calls(rank.tracks.size());
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    std::vector<Interval> found;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const trace::Lane& lane = rank.lanes[l];
      if (!may_hold_calls(lane)) continue;
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        if (starts_collective_[lane.name(i)] == 0) continue;
        const Interval call{lane.time().begin(i), lane.time().end(i)};
        if (!outlives(rank, track, l, call)) found.push_back(call);
      }
    }
    calls[t] = joined_calls(std::move(found));
  }
  return calls;
}

bool CollectiveCalls::is_inside(std::uint32_t rank_index, trace::SliceOrdinal launch) const {
  const trace::Rank& rank = *profile_.ranks[rank_index];
  const ByTrack& by_track = by_rank_[rank_index].get([&] { return calls_of(rank); });
  const trace::SlicePlace place = rank.locate(launch);
  const std::vector<Interval>& calls = by_track[rank.track_of_lane(place.lane)];
  if (calls.empty()) return false;
  const Ns begin = rank.lanes[place.lane].time().begin(place.index);
  const auto after = std::ranges::upper_bound(calls, begin, {}, [](const Interval& call) { return call.begin; });
  return after != calls.begin() && begin < std::prev(after)->end;
}

}  // namespace warpscope::analysis
