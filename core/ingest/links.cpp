#include "core/ingest/links.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/natural_merge.hpp"

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

/// How many runs each track launched on each device.
class LaunchTargets {
 public:
  explicit LaunchTargets(const trace::Rank& rank) : devices_(rank.devices.size()) {
    device_of_.assign(rank.tracks.size(), 0);
    for (std::size_t d = 0; d < rank.devices.size(); ++d)
      for (const std::uint32_t stream : rank.devices[d].streams) device_of_[stream] = d + 1;
    counts_.resize(rank.tracks.size() * (devices_ + 1));
  }
  void add(std::uint32_t from, std::uint32_t to) { ++counts_[from * (devices_ + 1) + device_of_[to]]; }
  /// The device of most runs of a track, -1 if those are on none; nothing without runs.
  [[nodiscard]] std::optional<std::int32_t> most(std::size_t track) const {
    const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(track * (devices_ + 1));
    const auto most = std::max_element(first, first + static_cast<std::ptrdiff_t>(devices_ + 1));
    if (*most == 0) return std::nullopt;
    return static_cast<std::int32_t>(most - first) - 1;
  }

 private:
  std::size_t devices_;
  std::vector<std::size_t> device_of_;  // by track: 1 + device; 0 of what is no stream
  std::vector<std::uint64_t> counts_;
};

void count_launches(trace::Rank& rank) {
  trace::SliceOrdinal last = ~trace::SliceOrdinal{0};
  std::uint32_t lane = 0;
  std::uint32_t track = 0;
  for (const trace::Connection& pair : rank.launches.all()) {
    if (pair.from == last) continue;
    last = pair.from;
    while (rank.lane_start[lane + 1] <= pair.from) ++lane;
    while (rank.tracks[track].first_lane + rank.tracks[track].lane_count <= lane) ++track;
    ++rank.tracks[track].launches;
    ++rank.counts.launches;
  }
}

}  // namespace

void link_launches(trace::Rank& rank, CorrelatedSlices correlated, Diagnostics& diagnostics) {
  auto& [launches, runs] = correlated;
  natural_merge_sort(launches, by_id_and_time);
  natural_merge_sort(runs, by_id_and_time);

  std::vector<trace::Connection> pairs;
  pairs.reserve(std::min(runs.size(), launches.size()));
  LaunchTargets targets(rank);
  std::uint64_t ambiguous = 0;
  std::uint64_t first_ambiguous = Diagnostic::kNoOffset;
  std::size_t from = 0;
  for (const Correlated& run : runs) {
    while (from < launches.size() && launches[from].correlation < run.correlation) ++from;
    std::size_t to = from;
    while (to < launches.size() && launches[to].correlation == run.correlation) ++to;
    if (from == to) continue;
    const Correlated& launch = nearest_launch(std::span(launches).subspan(from, to - from), run);
    pairs.push_back({launch.slice, run.slice});
    targets.add(launch.track, run.track);
    if (to - from == 1) continue;
    ++ambiguous;
    const trace::SlicePlace place = rank.locate(run.slice);
    first_ambiguous = std::min(first_ambiguous, rank.lanes[place.lane].offset(place.index));
  }
  if (ambiguous > 0)
    diagnostics.add("several-launches-of-one-id", Severity::warning, rank.source.path, first_ambiguous, "", ambiguous);
  correlated = {};
  rank.launches = trace::Connections(std::move(pairs));
  count_launches(rank);
  for (std::size_t t = 0; t < rank.tracks.size(); ++t)
    if (const auto most = targets.most(t); most && rank.tracks[t].kind != trace::TrackKind::stream)
      rank.tracks[t].device = *most;
}

void link_flows(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const trace::SliceOrdinal> slices,
                Diagnostics& diagnostics) {
  std::vector<std::uint32_t> order(flows.size());
  std::iota(order.begin(), order.end(), 0u);
  natural_merge_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(flows[a].id, !flows[a].start) < std::tuple(flows[b].id, !flows[b].start);
  });
  std::vector<trace::Connection> pairs;
  std::uint64_t loose = 0;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && flows[order[end]].id == flows[order[i]].id) ++end;
    const trace::SliceOrdinal forward = flows[order[i]].start ? slices[order[i]] : kNoSlice;
    for (std::size_t k = i; k < end; ++k) {
      if (flows[order[k]].start) continue;
      const trace::SliceOrdinal backward = slices[order[k]];
      if (forward != kNoSlice && backward != kNoSlice)
        pairs.push_back({forward, backward});
      else
        ++loose;
    }
    i = end;
  }
  if (loose > 0)
    diagnostics.add("loose-flow", Severity::info, rank.source.path, Diagnostic::kNoOffset, "forward → backward", loose);
  rank.forward_backward = trace::Connections(std::move(pairs));
}

}  // namespace warpscope::ingest
