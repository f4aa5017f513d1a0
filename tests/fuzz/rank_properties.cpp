#include "tests/fuzz/rank_properties.hpp"

#include <fmt/format.h>

#include <limits>

#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

void check_lane(const trace::Lane& lane, const trace::Dictionary& dictionary) {
  const trace::TimeColumn& time = lane.time();
  require(time.size() == lane.size(), "columns of a lane are of one length");
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    require(lane.name(i) < dictionary.names.size(), "a name is in the dictionary");
    require(!dictionary.categories.name(lane.category(i)).empty() || lane.category(i) == 0, "a category has a name");
    if (i == 0) continue;
    require(time.begin(i - 1) <= time.begin(i), "slices of a lane are in time order");
    if (!lane.folded() && lane.kind() != trace::LaneKind::damaged)
      require(time.end(i - 1) <= time.begin(i), "slices of a lane do not overlap");
  }
  if (lane.size() > 0) {
    std::uint64_t visited = 0;
    lane.for_each_overlapping(std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max(),
                              [&](std::uint32_t) { ++visited; });
    require(visited <= lane.size(), "no slice comes twice");
  }
}

void check_connections(const trace::Connections& connections, std::uint64_t slices) {
  for (const trace::Connection& each : connections.all())
    require(each.from < slices && each.to < slices, "connections join slices");
}

}  // namespace

void check_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, std::uint64_t slices) {
  require(rank.lane_start.size() == rank.lanes.size() + 1, "each lane has its first ordinal");
  std::uint64_t in_lanes = 0;
  for (std::size_t l = 0; l < rank.lanes.size(); ++l) {
    require(rank.lane_start[l] == in_lanes, "ordinals count slices");
    in_lanes += rank.lanes[l].size();
    check_lane(rank.lanes[l], dictionary);
  }
  require(in_lanes == slices && rank.lane_start.back() == slices, "no slice is lost");
  std::uint32_t lanes = 0;
  for (const trace::Track& track : rank.tracks) {
    require(track.first_lane == lanes && track.lane_count > 0, "tracks share the lanes out");
    lanes += track.lane_count;
    require(track.device < static_cast<std::int32_t>(rank.devices.size()), "the device of a track is there");
  }
  require(lanes == rank.lanes.size(), "each lane is of a track");
  for (const trace::Device& device : rank.devices)
    for (const std::uint32_t stream : device.streams) require(stream < rank.tracks.size(), "a stream is a track");
  check_connections(rank.launches, slices);
  check_connections(rank.forward_backward, slices);
  for (std::size_t i = 0; i < rank.transfers.slices().size(); ++i) {
    const trace::SliceOrdinal slice = rank.transfers.slices()[i];
    require(slice < slices && (i == 0 || rank.transfers.slices()[i - 1] < slice), "a transfer is of one slice");
    require(rank.bytes(slice) == rank.transfers.bytes()[i], "a transfer is found by its slice");
  }
  for (const trace::Step& step : rank.steps) require(step.slice < slices, "a step is a slice");
}

std::string describe(const trace::Rank& rank, const trace::Dictionary& dictionary) {
  std::string text = fmt::format("{} {} {} {} {} {}..{}\n", rank.number, rank.world_size, rank.host, rank.process,
                                 rank.counts.events, rank.span.begin, rank.span.end);
  for (const trace::Track& track : rank.tracks)
    text += fmt::format("track {} {} {} {} {} {} {} {}\n", static_cast<int>(track.kind), track.label, track.process,
                        track.id, track.first_lane, track.lane_count, track.launches, track.device);
  for (const trace::Lane& lane : rank.lanes) {
    text += fmt::format("lane {} {}\n", static_cast<int>(lane.kind()), lane.depth());
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      text += fmt::format("{} {} {} {} {}\n", lane.event(i), lane.time().begin(i), lane.time().duration(i),
                          dictionary.names.view(lane.name(i)), dictionary.categories.name(lane.category(i)));
  }
  for (const trace::Connections* all : {&rank.launches, &rank.forward_backward, &rank.graph_edges})
    for (const trace::Connection& each : all->all()) text += fmt::format("{} -> {}\n", each.from, each.to);
  for (std::size_t i = 0; i < rank.transfers.slices().size(); ++i)
    text += fmt::format("{} moves {}\n", rank.transfers.slices()[i], rank.transfers.bytes()[i]);
  for (const trace::Counter& counter : rank.counters) {
    text += "counter " + counter.name() + "\n";
    for (std::size_t i = 0; i < counter.size(); ++i) text += fmt::format("{} {}\n", counter.time(i), counter.value(i));
  }
  for (const trace::Step& step : rank.steps) text += fmt::format("step {}\n", step.slice);
  for (const auto& [family, count] : rank.annotations) text += fmt::format("{} {}\n", family, count);
  for (const auto& [key, json] : rank.properties) text += key + ": " + json + "\n";
  for (const Diagnostic& each : rank.diagnostics.all())
    if (each.code != "arguments-damaged")  // depends on the events that the parser has seen
      text += fmt::format("{} {} {} {}\n", each.code, each.count, each.offset, each.example);
  return text;
}

}  // namespace warpscope::fuzz
