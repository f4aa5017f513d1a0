#include <algorithm>
#include <limits>

#include "core/store/rank_writer.hpp"
#include "core/store/rows.hpp"

namespace warpscope::store {

namespace {

const char* contradiction_in(const trace::Rank& rank) {
  if (rank.lanes.size() + rank.devices.size() > kMostRows / 2) return "it has too many lanes";
  if (rank.lane_start.size() != rank.lanes.size() + 1 || rank.lane_start.front() != 0)
    return "its lanes have no ordinals";
  std::uint64_t slices = 0;
  for (std::size_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::Lane& lane = rank.lanes[l];
    slices += lane.size();
    if (slices > std::numeric_limits<std::uint32_t>::max() - 1) return "it has too many slices";
    if (rank.lane_start[l + 1] != slices || (lane.opened() && lane.time().size() != lane.size()))
      return "the sizes of its lanes do not add up";
  }
  std::uint64_t lanes = 0;
  for (const trace::Track& track : rank.tracks) {
    if (track.first_lane != lanes || track.lane_count == 0) return "its tracks and lanes do not match";
    lanes += track.lane_count;
    if (track.device < -1 || track.device >= static_cast<std::int64_t>(rank.devices.size()))
      return "a track has an unknown device";
  }
  if (lanes != rank.lanes.size()) return "its tracks and lanes do not match";
  for (const trace::Device& device : rank.devices)
    if (std::any_of(device.streams.begin(), device.streams.end(),
                    [&](std::uint32_t stream) { return stream >= rank.tracks.size(); }))
      return "a device has an unknown stream";
  if (rank.counts.slices > slices) return "its slice count is too large";
  const bool empty_span = rank.span == kEmptySpan;
  if (!empty_span && (rank.span.begin > rank.span.end || rank.span.begin < -kFarthest || rank.span.end > kFarthest))
    return "its time span is invalid";
  for (const trace::Step& step : rank.steps)
    if (step.slice >= slices || step.time.begin > step.time.end || step.time.begin < -kFarthest ||
        step.time.end > kFarthest)
      return "a step is invalid";
  for (const trace::Counter& counter : rank.counters)
    if (counter.size() > 0 && (counter.time(0) < -kFarthest || counter.time(counter.size() - 1) > kFarthest))
      return "a counter is invalid";
  return nullptr;
}

}  // namespace

Failure check_rank(const trace::Rank& rank) {
  const char* why = contradiction_in(rank);
  if (why == nullptr) return std::nullopt;
  return Error{rank.source.path, std::string("cannot be stored: ") + why, ""};
}

}  // namespace warpscope::store
