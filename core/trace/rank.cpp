#include "core/trace/rank.hpp"

#include <algorithm>

namespace warpscope::trace {

SlicePlace Rank::locate(SliceOrdinal slice) const {
  const auto after = std::upper_bound(lane_start.begin(), lane_start.end(), slice);
  const auto lane = static_cast<std::uint32_t>(after - lane_start.begin() - 1);
  return {lane, slice - lane_start[lane]};
}

std::uint32_t Rank::track_of_lane(std::uint32_t lane) const {
  const auto after = std::ranges::upper_bound(tracks, lane, {}, &Track::first_lane);
  return static_cast<std::uint32_t>(after - tracks.begin() - 1);
}

std::optional<SliceOrdinal> Rank::find_event(std::uint64_t event) const {
  for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes[lane].events_resident()) continue;  // another lane may have it; absent lanes load together
    for (std::uint32_t i = 0; i < lanes[lane].size(); ++i)
      if (lanes[lane].event(i) == event) return ordinal({lane, i});
  }
  return std::nullopt;
}

Ns Rank::begin(SliceOrdinal slice) const {
  const SlicePlace place = locate(slice);
  return lanes[place.lane].time().begin(place.index);
}

Ns Rank::duration(SliceOrdinal slice) const {
  const SlicePlace place = locate(slice);
  return lanes[place.lane].time().duration(place.index);
}

NameId Rank::name(SliceOrdinal slice) const {
  const SlicePlace place = locate(slice);
  return lanes[place.lane].name(place.index);
}

CategoryId Rank::category(SliceOrdinal slice) const {
  const SlicePlace place = locate(slice);
  return lanes[place.lane].category(place.index);
}

void Rank::set_rows(StoredColumn<RankRows> fresh) {
  rows = std::move(fresh);
  for (std::uint32_t l = 0; l < lanes.size(); ++l) lanes[l].set_rows({rows, &RankRows::lanes, l});
  for (std::uint32_t d = 0; d < devices.size(); ++d) devices[d].busy = {rows, &RankRows::busy, d};
}

void Rank::shift(Ns delta) {
  if (storage) {
    set_rows(StoredColumn<RankRows>([rows = rows, delta] {
      RankRows moved = rows.get();
      moved.shift(delta);
      return moved;
    }));
  } else {
    for (Lane& lane : lanes) lane.shift(delta);
    for (Device& device : devices) device.busy.shift(delta);
  }
  for (Counter& counter : counters) counter.shift(delta);
  const auto moved = [delta](Interval time) {
    return Interval{saturating_add(time.begin, delta), saturating_add(time.end, delta)};
  };
  for (Step& step : steps) step.time = moved(step.time);
  if (span.begin <= span.end) span = moved(span);
}

std::size_t Rank::whole_bytes() const {
  std::size_t bytes = launches.whole_bytes() + forward_backward.whole_bytes() + graph_edges.whole_bytes() +
                      transfers.whole_bytes() + lanes.size() * sizeof(Lane) + lane_start.size() * sizeof(SliceOrdinal) +
                      steps.size() * sizeof(Step);
  for (const Lane& lane : lanes) bytes += lane.whole_bytes();
  for (const Device& device : devices)
    bytes += device.busy_bytes > 0 ? device.busy_bytes : device.busy.get().whole_bytes();
  for (const Counter& counter : counters) bytes += counter.whole_bytes();
  return bytes;
}

std::size_t Rank::resident_bytes() const {
  std::size_t bytes = launches.resident_bytes() + forward_backward.resident_bytes() + graph_edges.resident_bytes() +
                      transfers.resident_bytes() + lanes.capacity() * sizeof(Lane) +
                      lane_start.capacity() * sizeof(SliceOrdinal) + steps.capacity() * sizeof(Step);
  for (const Lane& lane : lanes) bytes += lane.resident_bytes();
  for (const Device& device : devices)
    if (const IntervalTree* busy = device.busy.ready()) bytes += busy->resident_bytes();
  for (const Counter& counter : counters) bytes += counter.resident_bytes();
  return bytes;
}

}  // namespace warpscope::trace
