#include "tests/render/scene/make_profile.hpp"

#include <algorithm>

namespace warpscope::test {

trace::Lane make_lane(const LaneSpec& spec, std::uint16_t depth, trace::Dictionary& dictionary, std::uint64_t first) {
  trace::Lane::Columns columns;
  for (const SliceSpec& slice : spec.slices) {
    columns.time.push_back(slice.begin, slice.duration);
    columns.names.push_back(dictionary.names.intern(slice.name));
    columns.categories.push_back(dictionary.categories.intern(slice.category));
    columns.offsets.push_back(first + columns.names.size());
    columns.families.push_back(slice.family);
  }
  return trace::Lane(spec.kind, depth, std::move(columns));
}

std::shared_ptr<trace::Rank> make_rank(const RankSpec& spec, std::int64_t number, trace::Dictionary& dictionary) {
  auto rank = std::make_shared<trace::Rank>();
  rank->number = number;
  rank->source.path = "rank" + std::to_string(number) + ".json";
  rank->host = spec.host;
  rank->process = 100 + number;
  trace::Device device;
  std::vector<Interval> runs;
  trace::SliceOrdinal next = 0;
  for (std::uint32_t t = 0; t < spec.tracks.size(); ++t) {
    const TrackSpec& from = spec.tracks[t];
    trace::Track track;
    track.kind = from.kind;
    track.label = from.label;
    track.id = t;
    track.first_lane = static_cast<std::uint32_t>(rank->lanes.size());
    track.lane_count = static_cast<std::uint32_t>(from.lanes.size());
    track.device = 0;
    track.launches = from.kind == trace::TrackKind::thread ? 1 : 0;
    for (std::size_t depth = 0; depth < from.lanes.size(); ++depth) {
      const LaneSpec& lane = from.lanes[depth];
      rank->lanes.push_back(make_lane(lane, static_cast<std::uint16_t>(depth), dictionary, next));
      rank->lane_start.push_back(next);
      next += rank->lanes.back().size();
      for (const SliceSpec& slice : lane.slices) {
        const Interval time{slice.begin, slice.begin + slice.duration};
        if (lane.kind != trace::LaneKind::damaged) rank->span = cover(rank->span, time);
        const bool busy = lane.kind == trace::LaneKind::nested || lane.kind == trace::LaneKind::overflow;
        if (from.kind == trace::TrackKind::stream && busy) runs.push_back(time);
      }
    }
    if (from.kind == trace::TrackKind::stream) device.streams.push_back(t);
    rank->tracks.push_back(std::move(track));
  }
  rank->lane_start.push_back(next);
  std::sort(runs.begin(), runs.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
  device.busy = trace::merged_intervals(runs);
  if (!device.streams.empty()) rank->devices.push_back(std::move(device));
  const auto ordinal = [&](const Where& at) {
    return rank->lane_start[rank->tracks[at.track].first_lane + at.lane] + at.index;
  };
  const auto connections = [&](const std::vector<std::pair<Where, Where>>& specs) {
    std::vector<trace::Connection> pairs;
    pairs.reserve(specs.size());
    for (const auto& [from, to] : specs) pairs.push_back({ordinal(from), ordinal(to)});
    return trace::Connections(std::move(pairs));
  };
  rank->launches = connections(spec.launches);
  rank->graph_edges = connections(spec.graph_edges);
  rank->counters = spec.counters;
  return rank;
}

std::shared_ptr<const trace::Profile> make_profile(const std::vector<RankSpec>& ranks) {
  auto dictionary = std::make_shared<trace::Dictionary>();
  std::vector<std::shared_ptr<const trace::Rank>> built;
  built.reserve(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r)
    built.push_back(make_rank(ranks[r], static_cast<std::int64_t>(r), *dictionary));
  return trace::assemble_profile("test", dictionary, std::move(built), {}, true);
}

std::uint32_t find_entry(const trace::Profile& profile, trace::TreeKind kind, std::string_view label) {
  for (std::uint32_t i = 0; i < profile.tree.entries.size(); ++i) {
    const trace::TreeEntry& entry = profile.tree.entries[i];
    if (entry.kind == kind && (label.empty() || entry.label == label)) return i;
  }
  return trace::TreeEntry::kNone;
}

}  // namespace warpscope::test
