#include "core/analysis/operators/python_stacks.hpp"

#include <algorithm>
#include <tuple>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

namespace {

/// The part of a frame within the range, as for_each_part clips slices; nullopt if there is none.
std::optional<Interval> part_in(Interval time, const std::optional<Interval>& range) {
  if (!range) return time;
  if (time.begin >= range->end || (time.end <= range->begin && time.begin < range->begin)) return std::nullopt;
  return Interval{std::max(time.begin, range->begin), std::min(time.end, range->end)};
}

}  // namespace

/// Frames of a thread by start, outer ones first.
std::vector<PythonStacks::Frame> PythonStacks::frames_of(const AnalysisInput& input, const trace::Rank& rank,
                                                         const trace::Track& track) {
  const RoleOfCategory roles = roles_of_categories(input.profile);
  std::vector<Frame> frames;
  for (const std::uint32_t l : recorded_lanes(rank, track)) {
    const trace::Lane& lane = rank.lanes[l];
    for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
      if (roles[lane.category(i)] == trace::Role::python)
        frames.push_back({time, rank.lane_start[l] + i, lane.name(i)});
    });
  }
  std::ranges::sort(frames, {},
                    [](const Frame& frame) { return std::tuple(frame.time.begin, -frame.time.end, frame.slice); });
  return frames;
}

void PythonStacks::open_frame(const Frame& frame, bool kept, const std::optional<Interval>& range,
                              std::vector<OpenFrame>& open) {
  while (!open.empty() && open.back().end <= frame.time.begin) open.pop_back();
  const auto around =
      std::find_if(open.rbegin(), open.rend(), [&](const OpenFrame& each) { return each.end >= frame.time.end; });
  std::uint32_t node = around == open.rend() ? kTop : around->node;
  const auto part = part_in(frame.time, range);
  if (kept && part) {
    node = node_of(node, frame.name);
    ++nodes_[node].calls;
    nodes_[node].time = saturating_add(nodes_[node].time, part->length());
  }
  open.push_back({frame.time.end, node});
}

PythonStacks::PythonStacks(const AnalysisInput& input, std::uint32_t rank_index, const std::vector<HostEvent>& events,
                           const std::function<bool(std::string_view)>& counts)
    : of_events_(events.size(), kTop) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  const std::optional<Interval> range = input.scope.on_host(rank_index);
  std::vector<std::int8_t> kept(input.profile.names().size(), -1);
  const auto keeps = [&](NameId name) {
    if (kept[name] < 0) kept[name] = counts(input.profile.names().view(name)) ? 1 : 0;
    return kept[name] == 1;
  };
  std::size_t e = 0;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread || cancelled(input.cancel)) continue;
    const trace::SliceOrdinal last = rank.lane_start[track.first_lane + track.lane_count];
    const std::size_t first_event = e;
    while (e < events.size() && events[e].slice >= rank.lane_start[track.first_lane] && events[e].slice < last) ++e;
    if (first_event == e) continue;
    const std::vector<Frame> frames = frames_of(input, rank, track);
    recorded_ = recorded_ || !frames.empty();
    std::vector<OpenFrame> open;
    std::size_t f = 0;
    for (std::size_t of = first_event; of < e; ++of) {
      const Interval time{rank.begin(events[of].slice),
                          saturating_add(rank.begin(events[of].slice), rank.duration(events[of].slice))};
      for (; f < frames.size() && frames[f].time.begin <= time.begin; ++f)
        open_frame(frames[f], keeps(frames[f].name), range, open);
      while (!open.empty() && open.back().end < time.begin) open.pop_back();
      const auto around =
          std::find_if(open.rbegin(), open.rend(), [&](const OpenFrame& each) { return each.end >= time.end; });
      if (around != open.rend()) of_events_[of] = around->node;
    }
    for (; f < frames.size(); ++f) open_frame(frames[f], keeps(frames[f].name), range, open);
  }
}

std::uint32_t PythonStacks::node_of(std::uint32_t parent, NameId name) {
  const auto [entry, fresh] =
      children_.try_emplace(std::uint64_t{parent} << 32 | name, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({parent, name});
  return entry->second;
}

}  // namespace warpscope::analysis
