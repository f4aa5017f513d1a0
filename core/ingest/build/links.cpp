
#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/natural_merge.hpp"
#include "core/ingest/build/rank_contents.hpp"

namespace warpscope::ingest {

namespace {

/// Looks up the start times and tracks of slices. Caches the last track, because consecutive lookups usually hit the
/// same track.
class Places {
 public:
  explicit Places(const trace::Rank& rank) : rank_(rank) {}
  [[nodiscard]] Ns begin_of(trace::SliceOrdinal slice) const { return rank_.begin(slice); }
  [[nodiscard]] std::uint32_t track_of(trace::SliceOrdinal slice) {
    if (slice - first_ >= count_) find_track(slice);
    return track_;
  }

 private:
  void find_track(trace::SliceOrdinal slice) {
    track_ = rank_.track_of_lane(rank_.locate(slice).lane);
    const trace::Track& track = rank_.tracks[track_];
    first_ = rank_.lane_start[track.first_lane];
    count_ = rank_.lane_start[track.first_lane + track.lane_count] - first_;
  }

  const trace::Rank& rank_;
  trace::SliceOrdinal first_ = 0;
  trace::SliceOrdinal count_ = 0;
  std::uint32_t track_ = 0;
};

// Returns the last of `launches` (same id, sorted by time) that starts before `begin`, the start of the GPU activity.
// If all start later, as can happen with clock skew, returns the first.
const Correlated& nearest_launch(std::span<const Correlated> launches, Ns begin, const Places& places) {
  const auto after = std::upper_bound(launches.begin(), launches.end(), begin, [&](Ns key, const Correlated& launch) {
    return key < places.begin_of(launch.slice());
  });
  return after == launches.begin() ? launches.front() : *(after - 1);
}

/// Counts launches per track and device. Stores only pairs that occur, because there may be a million tracks or
/// devices.
class LaunchTargets {
 public:
  void add(std::uint32_t from, std::int32_t device) {
    const std::uint64_t pair = std::uint64_t{from} << 32 | number_of(device);
    if (last_ == nullptr || pair != last_pair_) {
      last_ = &counts_[pair];
      last_pair_ = pair;
    }
    ++*last_;
  }
  /// Sets the device of each non-stream track with launches to the device that most of its launches target (the first
  /// if tied), or to -1 if none targets a device.
  void assign(std::vector<trace::Track>& tracks) const {
    struct Most {
      std::uint64_t runs = 0;
      std::uint32_t device = 0;
    };
    std::unordered_map<std::uint32_t, Most> most;
    for (const auto& [pair, runs] : counts_) {
      Most& known = most[static_cast<std::uint32_t>(pair >> 32)];
      const auto device = static_cast<std::uint32_t>(pair);
      if (runs > known.runs || (runs == known.runs && device < known.device)) known = {runs, device};
    }
    for (const auto& [track, known] : most)
      if (tracks[track].kind != trace::TrackKind::stream)
        tracks[track].device = static_cast<std::int32_t>(known.device) - 1;
  }

 private:
  static std::uint32_t number_of(std::int32_t device) { return static_cast<std::uint32_t>(device + 1); }

  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // by track and 1 + device
  std::uint64_t* last_ = nullptr;                            // of last_pair_
  std::uint64_t last_pair_ = 0;
};

/// Finds devices whose GPU activity matches launches from several processes by id. This happens when the files of
/// several ranks were merged without labels. A matching launch may then be from another rank.
class MixedDevices {
 public:
  explicit MixedDevices(const trace::Rank& rank) : rank_(rank), of_device_(rank.devices.size()) {}

  /// Counts a GPU activity with a matching launch. `launches`: all launches with its id.
  void add(std::int32_t device, std::span<const Correlated> launches, Places& places) {
    if (device < 0) return;
    Counts& counts = of_device_[static_cast<std::size_t>(device)];
    ++counts.runs;
    if (launches.size() < 2) return;
    const std::int64_t process = process_of(launches.front(), places);
    for (const Correlated& launch : launches.subspan(1, std::min(launches.size() - 1, kExamined)))
      if (const std::int64_t other = process_of(launch, places); other != process) {
        if (counts.mixed++ == 0) counts.processes = {process, other};
        return;
      }
  }
  /// Removes and reports the pairs of these devices. Returns true if any were found.
  bool remove(std::vector<trace::Connection>& pairs, Diagnostics& diagnostics) const {
    if (std::ranges::none_of(of_device_, &Counts::is_mixed)) return false;
    Places places(rank_);
    std::uint64_t removed = 0;
    std::uint64_t first = Diagnostic::kNoOffset;
    std::erase_if(pairs, [&](const trace::Connection& pair) {
      const std::int32_t device = rank_.tracks[places.track_of(pair.to)].device;
      if (device < 0 || !of_device_[static_cast<std::size_t>(device)].is_mixed()) return false;
      ++removed;
      const trace::SlicePlace place = rank_.locate(pair.to);
      first = std::min(first, rank_.lanes[place.lane].event(place.index));
      return true;
    });
    const auto mixed = std::ranges::find_if(of_device_, &Counts::is_mixed);
    const auto device = static_cast<std::size_t>(mixed - of_device_.begin());
    diagnostics.add("launches-of-several-processes", Severity::warning, rank_.source.path, first,
                    "GPU " + std::to_string(rank_.devices[device].id) + ": processes " +
                        std::to_string(mixed->processes.first) + " and " + std::to_string(mixed->processes.second),
                    removed);
    return true;
  }

 private:
  static constexpr std::size_t kExamined = 8;
  struct Counts {
    std::uint64_t runs = 0;
    std::uint64_t mixed = 0;
    std::pair<std::int64_t, std::int64_t> processes{};
    /// A few ids may coincide by chance.
    [[nodiscard]] bool is_mixed() const { return mixed > 0 && mixed * 10 >= runs; }
  };
  [[nodiscard]] std::int64_t process_of(const Correlated& launch, Places& places) const {
    return rank_.tracks[places.track_of(launch.slice())].process;
  }

  const trace::Rank& rank_;
  std::vector<Counts> of_device_;
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
  Places places(rank);
  const auto by_id_and_time = [&](const Correlated& a, const Correlated& b) {
    if (a.correlation() != b.correlation()) return a.correlation() < b.correlation();
    return std::pair(places.begin_of(a.slice()), a.slice()) < std::pair(places.begin_of(b.slice()), b.slice());
  };
  natural_merge_sort(launches, by_id_and_time);
  natural_merge_sort(runs, by_id_and_time);

  std::vector<trace::Connection> pairs;
  pairs.reserve(std::min(runs.size(), launches.size()));
  LaunchTargets targets;
  MixedDevices mixed(rank);
  Places place_of_launch(rank);
  Places place_of_run(rank);
  std::uint64_t ambiguous = 0;
  std::uint64_t first_ambiguous = Diagnostic::kNoOffset;
  std::size_t from = 0;
  std::size_t to = 0;  // launches [from, to) have the id of the GPU activity
  for (const Correlated& run : runs) {
    const std::int64_t id = run.correlation();
    if (from == to || launches[from].correlation() != id) {
      from = to;
      while (from < launches.size() && launches[from].correlation() < id) ++from;
      to = from;
      while (to < launches.size() && launches[to].correlation() == id) ++to;
    }
    if (from == to) continue;
    const Correlated& launch = to - from == 1 ? launches[from]
                                              : nearest_launch(std::span(launches).subspan(from, to - from),
                                                               places.begin_of(run.slice()), places);
    pairs.push_back({launch.slice(), run.slice()});
    const std::int32_t device = rank.tracks[place_of_run.track_of(run.slice())].device;
    targets.add(place_of_launch.track_of(launch.slice()), device);
    mixed.add(device, std::span(launches).subspan(from, to - from), places);
    if (to - from == 1) continue;
    ++ambiguous;
    const trace::SlicePlace place = rank.locate(run.slice());
    first_ambiguous = std::min(first_ambiguous, rank.lanes[place.lane].event(place.index));
  }
  if (mixed.remove(pairs, diagnostics)) {
    targets = {};
    for (const trace::Connection& pair : pairs)
      targets.add(place_of_launch.track_of(pair.from), rank.tracks[place_of_run.track_of(pair.to)].device);
  } else if (ambiguous > 0) {
    diagnostics.add("several-launches-of-one-id", Severity::warning, rank.source.path, first_ambiguous, "", ambiguous);
  }
  correlated = {};
  rank.launches = trace::Connections(std::move(pairs));
  count_launches(rank);
  targets.assign(rank.tracks);
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
