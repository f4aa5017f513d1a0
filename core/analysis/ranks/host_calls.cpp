#include "core/analysis/ranks/host_calls.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

namespace {

struct HostSlice {
  Interval time;
  NameId name = 0;
  trace::SliceOrdinal slice = 0;
};

bool explains(trace::Role role) {
  return role == trace::Role::op || role == trace::Role::annotation || role == trace::Role::launch;
}

}  // namespace

std::size_t for_each_host_call(const trace::Profile& profile, std::uint32_t rank_index, std::uint32_t track_index,
                               Interval range, const std::function<void(const HostCall&)>& visit) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  std::vector<HostSlice> slices;
  if (track_index < rank.tracks.size()) {
    const trace::Track& track = rank.tracks[track_index];
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      const trace::Lane& lane = rank.lanes[l];
      lane.for_each_overlapping(range.begin, range.end, [&](std::uint32_t i) {
        if (explains(profile.categories().role(lane.category(i))))
          slices.push_back({{lane.time().begin(i), lane.time().end(i)}, lane.name(i), rank.ordinal({l, i})});
      });
    }
  }
  std::ranges::sort(slices, [](const HostSlice& a, const HostSlice& b) {
    return std::tuple(a.time.begin, -a.time.end) < std::tuple(b.time.begin, -b.time.end);
  });
  std::vector<HostSlice> open;
  Ns at = range.begin;
  const auto advance = [&](Ns to) {
    while (at < to) {
      while (!open.empty() && open.back().time.end <= at) open.pop_back();
      const Ns until = open.empty() ? to : std::min(to, open.back().time.end);
      if (open.empty())
        visit({0, {}, {at, until}});
      else
        visit({open.back().name, open.back().slice, {at, until}});
      at = until;
    }
  };
  for (const HostSlice& slice : slices) {
    advance(std::clamp(slice.time.begin, range.begin, range.end));
    open.push_back(slice);
  }
  advance(range.end);
  return slices.size();
}

}  // namespace warpscope::analysis
