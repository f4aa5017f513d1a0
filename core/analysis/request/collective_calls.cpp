#include "core/analysis/request/collective_calls.hpp"

#include <algorithm>

#include "core/trace/lane_assignment.hpp"

namespace warpscope::analysis {

namespace {

/// False for lanes that contain only Python frames and runtime calls, whose names do not need to be read.
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

/// Adds the kernels that the call launches, except those already known to communicate.
void add_kernels(std::vector<trace::SliceOrdinal>& kernels, const trace::Rank& rank, const trace::Track& track,
                 std::uint32_t lane, const Interval& call) {
  // A slice is in the first free lane below its enclosing slice, so nothing follows an empty lane.
  for (std::uint32_t l = lane + 1; l < track.first_lane + track.lane_count; ++l) {
    bool any = false;
    rank.lanes[l].for_each_overlapping(call.begin, call.end, [&](std::uint32_t i) {
      any = true;
      if (rank.lanes[l].time().begin(i) < call.begin) return;
      for (const trace::Connection& each : rank.launches.caused_by(rank.ordinal({l, i}))) {
        const trace::SlicePlace place = rank.locate(each.to);
        if (!rank.lanes[place.lane].communicates(place.index)) kernels.push_back(each.to);
      }
    });
    if (!any) return;
  }
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

CollectiveCalls::Kernels CollectiveCalls::kernels_of(const trace::Rank& rank) const {
  Kernels kernels;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const trace::Lane& lane = rank.lanes[l];
      if (!may_hold_calls(lane)) continue;
      const auto& names = lane.labels().names;
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        if (!starts(names[i])) continue;
        const Interval call{lane.time().begin(i), lane.time().end(i)};
        if (!outlives(rank, track, l, call)) add_kernels(kernels, rank, track, l, call);
      }
    }
  }
  std::ranges::sort(kernels);
  const auto repeated = std::ranges::unique(kernels);
  kernels.erase(repeated.begin(), repeated.end());
  return kernels;
}

}  // namespace warpscope::analysis
