#include "core/ingest/links.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace warpscope::ingest {

namespace {

bool by_id_and_time(const Correlated& a, const Correlated& b) {
  return std::tuple(a.correlation, a.begin, a.slice) < std::tuple(b.correlation, b.begin, b.slice);
}

// The launch of `run` among those of its id, which are sorted by time: the last that begins before it does. Clock skew
// may put a run before its only launch.
const Correlated& nearest_launch(std::span<const Correlated> launches, const Correlated& run) {
  const auto after = std::upper_bound(launches.begin(), launches.end(), run.begin,
                                      [](Ns begin, const Correlated& launch) { return begin < launch.begin; });
  return after == launches.begin() ? launches.front() : *(after - 1);
}

std::int32_t device_index(const trace::Rank& rank, std::uint32_t stream_track) {
  for (std::size_t d = 0; d < rank.devices.size(); ++d)
    if (rank.devices[d].id == rank.tracks[stream_track].process) return static_cast<std::int32_t>(d);
  return -1;
}

}  // namespace

void link_launches(trace::Rank& rank, CorrelatedSlices correlated) {
  auto& [launches, runs] = correlated;
  std::sort(launches.begin(), launches.end(), by_id_and_time);
  std::sort(runs.begin(), runs.end(), by_id_and_time);

  std::vector<trace::Connection> pairs;
  pairs.reserve(std::min(runs.size(), launches.size()));
  std::vector<std::map<std::int32_t, std::uint64_t>> runs_by_device(rank.tracks.size());
  std::uint64_t ambiguous = 0;
  trace::SliceOrdinal first_ambiguous = 0;
  std::size_t from = 0;
  for (const Correlated& run : runs) {
    while (from < launches.size() && launches[from].correlation < run.correlation) ++from;
    std::size_t to = from;
    while (to < launches.size() && launches[to].correlation == run.correlation) ++to;
    if (from == to) continue;
    const Correlated& launch = nearest_launch(std::span(launches).subspan(from, to - from), run);
    pairs.push_back({launch.slice, run.slice});
    ++runs_by_device[launch.track][device_index(rank, run.track)];
    if (to - from > 1 && ambiguous++ == 0) first_ambiguous = run.slice;
  }
  if (ambiguous > 0) {
    const trace::SlicePlace place = rank.locate(first_ambiguous);
    rank.diagnostics.add("several-launches-of-one-id", Severity::warning, rank.source.path,
                         rank.lanes[place.lane].offset(place.index), "", ambiguous);
  }
  rank.launches = trace::Connections(std::move(pairs));

  trace::SliceOrdinal last = ~trace::SliceOrdinal{0};
  for (const trace::Connection& pair : rank.launches.all()) {
    if (pair.from == last) continue;
    last = pair.from;
    ++rank.tracks[rank.track_of_lane(rank.locate(pair.from).lane)].launches;
    ++rank.counts.launches;
  }
  for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
    if (rank.tracks[t].kind == trace::TrackKind::stream || runs_by_device[t].empty()) continue;
    const auto most = std::max_element(runs_by_device[t].begin(), runs_by_device[t].end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    rank.tracks[t].device = most->first;
  }
}

namespace {

std::optional<trace::SliceOrdinal> slice_of_flow(const trace::Rank& rank, const trace::Track& track, Ns time) {
  std::optional<trace::SliceOrdinal> holds;
  std::optional<trace::SliceOrdinal> begins;
  for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
    const trace::Lane& lane = rank.lanes[l];
    if (lane.kind() != trace::LaneKind::nested && lane.kind() != trace::LaneKind::overflow) continue;
    const std::uint32_t i = lane.tree().at(time);
    if (i == trace::IntervalTree::kNone) continue;
    holds = rank.ordinal({l, i});
    if (lane.time().begin(i) == time) begins = holds;
  }
  return begins ? begins : holds;
}

}  // namespace

void link_flows(trace::Rank& rank, std::vector<PendingFlow> flows, std::span<const std::uint32_t> track_of) {
  std::stable_sort(flows.begin(), flows.end(), [](const PendingFlow& a, const PendingFlow& b) {
    return std::tuple(a.id, !a.start) < std::tuple(b.id, !b.start);
  });
  std::vector<trace::Connection> pairs;
  std::uint64_t loose = 0;
  const auto bind = [&](const PendingFlow& flow) -> std::optional<trace::SliceOrdinal> {
    const std::uint32_t track = track_of[flow.track];
    return track == trace::IntervalTree::kNone ? std::nullopt : slice_of_flow(rank, rank.tracks[track], flow.time);
  };
  for (std::size_t i = 0; i < flows.size();) {
    std::size_t end = i;
    while (end < flows.size() && flows[end].id == flows[i].id) ++end;
    const auto forward = flows[i].start ? bind(flows[i]) : std::nullopt;
    for (std::size_t k = i; k < end; ++k) {
      if (flows[k].start) continue;
      const auto backward = bind(flows[k]);
      if (forward && backward)
        pairs.push_back({*forward, *backward});
      else
        ++loose;
    }
    i = end;
  }
  if (loose > 0)
    rank.diagnostics.add("loose-flow", Severity::info, rank.source.path, Diagnostic::kNoOffset, "forward → backward",
                         loose);
  rank.forward_backward = trace::Connections(std::move(pairs));
}

}  // namespace warpscope::ingest
