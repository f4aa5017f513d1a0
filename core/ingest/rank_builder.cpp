#include "core/ingest/rank_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/natural_merge.hpp"
#include "core/ingest/damage.hpp"
#include "core/ingest/file_name.hpp"
#include "core/ingest/kineto/metadata.hpp"
#include "core/ingest/links.hpp"
#include "core/trace/annotation_family.hpp"

namespace warpscope::ingest {

using trace::Lane;
using trace::LaneKind;
using trace::Rank;
using trace::Role;
using trace::Track;
using trace::TrackKind;

namespace {

// A time after which an absolute timestamp certainly lies: 2001-09-09, 10^18 ns.
constexpr Ns kCertainlyAbsolute = 1'000'000'000'000'000'000;

void count_slices(const std::vector<BuiltTrack>& built, const trace::Categories& categories,
                  trace::RankCounts& counts) {
  std::array<std::uint64_t, 256> by_category{};
  for (const BuiltTrack& track : built)
    for (std::size_t id = 0; id < by_category.size(); ++id) by_category[id] += track.by_category[id];
  for (std::size_t id = 0; id < by_category.size(); ++id) {
    if (by_category[id] == 0) continue;
    const auto category = static_cast<trace::CategoryId>(id);
    counts.by_category[category] = by_category[id];
    counts.slices += by_category[id];
    if (trace::is_run(categories.role(category))) counts.runs += by_category[id];
  }
}

// Streams by device and number, then threads: the main thread of a process first, real numbers before made-up ones.
std::vector<std::uint32_t> track_order(const std::vector<PendingTrack>& tracks) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < tracks.size(); ++i)
    if (!tracks[i].slices.empty()) order.push_back(i);
  const auto key = [&](std::uint32_t i) {
    const PendingTrack& track = tracks[i];
    return std::tuple(track.kind, track.process < 0, track.process, track.id != track.process, track.id < 0, track.id,
                      std::string_view(track.thread_text), std::string_view(track.process_text));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

std::string label_of(const PendingRank& pending, const PendingTrack& track) {
  const auto named = pending.thread_names.find({track.process_text, track.thread_text});
  if (track.kind == TrackKind::stream)
    return named != pending.thread_names.end() && !named->second.empty() ? named->second
                                                                         : fmt::format("stream {}", track.id);
  if (track.kind == TrackKind::async) return fmt::format("async {}", track.thread_text);
  if (named != pending.thread_names.end() && !named->second.empty()) return named->second;
  if (track.id >= 0) return fmt::format("thread {}", track.id);
  if (track.thread_text.empty()) return track.process_text.empty() ? "unnamed thread" : track.process_text;
  return track.thread_text;
}

std::int64_t host_process(const std::vector<PendingTrack>& tracks) {
  std::map<std::int64_t, std::size_t> slices;
  for (const PendingTrack& track : tracks)
    if (track.kind == TrackKind::thread && track.process > 0) slices[track.process] += track.slices.size();
  const auto most =
      std::max_element(slices.begin(), slices.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == slices.end() ? 0 : most->first;
}

/// The tracks that have slices, built; in `order`.
std::vector<BuiltTrack> build_tracks(PendingRank& pending, const std::vector<std::uint32_t>& order,
                                     const NameFacts& names, const trace::Dictionary& dictionary,
                                     const UnitRunner& run_units, const CancelToken* cancel) {
  std::vector<Begins> begins(order.size());
  std::vector<std::vector<TrackFlow>> flows(pending.tracks.size());
  run_units(order.size() + 1, [&](std::size_t unit) {
    if (unit < order.size()) {
      pending.tracks[order[unit]].slices.for_each([&](const PendingSlice& slice) { begins[unit].add(slice); });
      return;
    }
    for (std::uint32_t f = 0; f < pending.flows.size(); ++f)
      flows[pending.flows[f].track].push_back({pending.flows[f].time, f, kNoSlice});
  });
  Begins all;
  for (const Begins& each : begins) all.add(each);

  // The largest first, so that no thread is left with it at the end.
  std::vector<std::uint32_t> by_size(order.size());
  std::iota(by_size.begin(), by_size.end(), 0u);
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::uint32_t a, std::uint32_t b) {
    return pending.tracks[order[a]].slices.size() > pending.tracks[order[b]].slices.size();
  });
  const TrackContext context{names, dictionary.categories, Possible(all), cancel};
  std::vector<BuiltTrack> built(order.size());
  run_units(order.size(), [&](std::size_t unit) {
    const std::uint32_t i = by_size[unit];
    built[i] = build_track(pending.tracks[order[i]], std::exchange(flows[order[i]], {}), context);
  });
  return built;
}

/// What the tracks told of their slices, in the numbering of the rank.
struct RankSlices {
  std::vector<trace::SliceOrdinal> annotations;
  std::vector<trace::SliceOrdinal> flows;
};

void note_overlaps(Rank& rank, const PendingRank& pending, const std::vector<BuiltTrack>& built) {
  Overlaps all;
  for (const BuiltTrack& track : built) {
    if (track.overlaps.count == 0) continue;
    const std::uint64_t count = all.count + track.overlaps.count;
    if (all.count == 0 || track.overlaps.offset < all.offset) all = track.overlaps;
    all.count = count;
  }
  if (all.count > 0)
    rank.diagnostics.add("overlapping-slices", Severity::info, rank.source.path, all.offset,
                         pending.names.view(all.name), all.count);
}

RankSlices add_tracks(Rank& rank, const PendingRank& pending, const std::vector<std::uint32_t>& order,
                      std::vector<BuiltTrack>& built) {
  RankSlices slices;
  slices.flows.assign(pending.flows.size(), kNoSlice);
  std::size_t lanes = 0;
  for (const BuiltTrack& track : built) lanes += track.lanes.size();
  rank.lanes.reserve(lanes);
  rank.lane_start.reserve(lanes + 1);
  rank.lane_start.push_back(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const trace::SliceOrdinal base = rank.lane_start.back();
    Track& track = rank.tracks.emplace_back();
    track.kind = pending.tracks[order[i]].kind;
    track.process = pending.tracks[order[i]].process;
    track.id = pending.tracks[order[i]].id;
    track.label = label_of(pending, pending.tracks[order[i]]);
    track.first_lane = static_cast<std::uint32_t>(rank.lanes.size());
    track.lane_count = static_cast<std::uint32_t>(built[i].lanes.size());
    for (Lane& lane : built[i].lanes) {
      rank.lane_start.push_back(rank.lane_start.back() + lane.size());
      rank.lanes.push_back(std::move(lane));
    }
    for (const trace::SliceOrdinal slice : built[i].annotations) slices.annotations.push_back(base + slice);
    for (const TrackFlow& flow : built[i].flows)
      if (flow.slice != kNoSlice) slices.flows[flow.flow] = base + flow.slice;
  }
  return slices;
}

CorrelatedSlices correlated_slices(const Rank& rank, std::vector<BuiltTrack>& built) {
  CorrelatedSlices all;
  std::size_t launches = 0;
  std::size_t runs = 0;
  for (const BuiltTrack& track : built) {
    launches += track.launches.size();
    runs += track.runs.size();
  }
  all.launches.reserve(launches);
  all.runs.reserve(runs);
  for (std::uint32_t t = 0; t < built.size(); ++t) {
    const trace::SliceOrdinal base = rank.lane_start[rank.tracks[t].first_lane];
    const auto move_all = [&](std::vector<Correlated>& from, std::vector<Correlated>& to) {
      for (const Correlated& each : from) to.push_back({each.correlation, each.begin, base + each.slice, t});
      from = {};
    };
    move_all(built[t].launches, all.launches);
    move_all(built[t].runs, all.runs);
  }
  return all;
}

void add_devices(Rank& rank) {
  std::unordered_map<std::int64_t, std::size_t> devices;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    if (rank.tracks[t].kind != TrackKind::stream) continue;
    const auto [device, fresh] = devices.try_emplace(rank.tracks[t].process, rank.devices.size());
    if (fresh) rank.devices.emplace_back().id = rank.tracks[t].process;
    rank.devices[device->second].streams.push_back(t);
    rank.tracks[t].device = static_cast<std::int32_t>(device->second);
  }
}

void add_models(Rank& rank, const std::vector<DeviceProperties>& properties) {
  std::unordered_map<std::int64_t, const std::string*> models;
  for (const DeviceProperties& known : properties) models[known.id] = &known.name;
  for (trace::Device& device : rank.devices)
    if (const auto known = models.find(device.id); known != models.end()) device.model = *known->second;
}

bool holds_runs(const Lane& lane) {
  return lane.kind() == LaneKind::nested || lane.kind() == LaneKind::overflow || lane.kind() == LaneKind::folded;
}

// Busy is a union over the device's streams, of kernels, copies and sets only.
void add_busy_time(Rank& rank, trace::Device& device, const trace::Categories& categories) {
  std::vector<Interval> busy;
  for (const std::uint32_t stream : device.streams) {
    Track& track = rank.tracks[stream];
    trace::BusyTime by_family;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const Lane& lane = rank.lanes[l];
      if (!holds_runs(lane)) continue;
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (trace::is_run(categories.role(lane.category(i))))
          busy.push_back({lane.time().begin(i), lane.time().end(i)});
      const trace::BusyTime sum = lane.tree().busy_by_family_before_block(lane.tree().time().blocks());
      for (std::size_t f = 0; f < trace::kFamilies; ++f) by_family.by_family[f] += sum.by_family[f];
    }
    track.communication = by_family.dominant() == trace::Family::communication;
  }
  natural_merge_sort(busy, [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  device.busy = trace::merged_intervals(busy);
}

void add_annotations_and_steps(Rank& rank, const std::vector<trace::SliceOrdinal>& annotations,
                               const trace::Dictionary& dictionary) {
  std::unordered_map<NameId, std::string> families;
  const auto family_of = [&](NameId name) -> const std::string& {
    const auto [entry, fresh] = families.try_emplace(name);
    if (fresh) entry->second = trace::annotation_family(dictionary.names.view(name));
    return entry->second;
  };
  for (const trace::SliceOrdinal slice : annotations) ++rank.annotations[family_of(rank.name(slice))];
  const std::string step = trace::step_family(rank.annotations);
  if (step.empty()) return;
  for (const trace::SliceOrdinal slice : annotations) {
    const trace::SlicePlace place = rank.locate(slice);
    const Lane& lane = rank.lanes[place.lane];
    if (family_of(lane.name(place.index)) != step) continue;
    rank.steps.push_back(
        {lane.name(place.index), {lane.time().begin(place.index), lane.time().end(place.index)}, slice});
  }
  std::sort(rank.steps.begin(), rank.steps.end(), [](const trace::Step& a, const trace::Step& b) {
    return std::pair(a.time.begin, a.slice) < std::pair(b.time.begin, b.slice);
  });
}

void add_counters(Rank& rank, std::vector<PendingCounter> pending) {
  for (PendingCounter& counter : pending) {
    std::stable_sort(counter.samples.begin(), counter.samples.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Ns> times;
    std::vector<float> values;
    for (const auto& [time, value] : counter.samples) {
      times.push_back(time);
      values.push_back(value);
    }
    rank.counters.emplace_back(std::move(counter.name), "", std::move(times), std::move(values));
  }
}

void add_span(Rank& rank) {
  for (const Lane& lane : rank.lanes) {
    if (lane.kind() == LaneKind::damaged || lane.kind() == LaneKind::instant) continue;
    const trace::TimeColumn& time = lane.time();
    if (time.empty()) continue;
    const trace::TimeColumn& covered = lane.tree().time();
    const Ns end = covered.empty() ? time.begin(time.size() - 1) : covered.end(covered.size() - 1);
    rank.span = cover(rank.span, {time.begin(0), std::max(end, time.begin(time.size() - 1))});
  }
  rank.span = measurable(rank.span);
}

// Absolute times need no base; a file that names one all the same would end up in the next century.
void apply_time_base(Rank& rank, const FileMetadata& metadata) {
  if (!metadata.base_time || *metadata.base_time == 0) return;
  if (rank.span.begin <= rank.span.end && rank.span.begin > kCertainlyAbsolute &&
      *metadata.base_time > kCertainlyAbsolute) {
    rank.diagnostics.add("time-base-ignored", Severity::info, rank.source.path, Diagnostic::kNoOffset,
                         fmt::format("baseTimeNanoseconds {}", *metadata.base_time));
    return;
  }
  rank.shift(*metadata.base_time);
}

void identify(Rank& rank, const PendingRank& pending, const FileMetadata& metadata, const FileFacts& facts) {
  const std::string file_name = std::filesystem::path(facts.source.path).filename().string();
  const auto named = rank_in_file_name(file_name);
  rank.number = metadata.rank ? *metadata.rank : named.value_or(facts.ordinal);
  rank.number_assigned = !metadata.rank && !named;
  rank.world_size = metadata.world_size.value_or(0);
  rank.process = host_process(pending.tracks);
  rank.host = metadata.host;
  if (!rank.host.empty()) return;
  const auto guess = host_in_file_name(file_name);
  const bool confirmed = guess && std::any_of(pending.tracks.begin(), pending.tracks.end(), [&](const auto& track) {
                           return track.kind == TrackKind::thread && track.process == guess->process;
                         });
  if (confirmed) rank.host = guess->host;
}

}  // namespace

std::shared_ptr<const Rank> build_rank(PendingRank pending, trace::Dictionary& dictionary, const FileFacts& facts,
                                       const UnitRunner& run_units, const CancelToken* cancel) {
  auto rank = std::make_shared<Rank>();
  rank->source = facts.source;
  FileMetadata metadata;
  for (const auto& [key, json] : pending.metadata) add_metadata(metadata, key, json, pending.diagnostics, pending.file);
  rank->diagnostics = std::move(pending.diagnostics);
  rank->properties = std::move(pending.metadata);
  rank->counts.events = pending.events;
  identify(*rank, pending, metadata, facts);

  const NameFacts names = publish_names(pending.names, dictionary);
  if (dictionary.names.full())
    rank->diagnostics.add("too-many-names", Severity::warning, facts.source.path, Diagnostic::kNoOffset,
                          StringTable::kFurther);
  const std::vector<std::uint32_t> order = track_order(pending.tracks);
  std::vector<BuiltTrack> built = build_tracks(pending, order, names, dictionary, run_units, cancel);
  if (cancel != nullptr && cancel->cancelled()) return nullptr;
  DamageReport damage;
  for (const BuiltTrack& track : built) damage.add(track.damage);
  damage.write(rank->diagnostics, facts.source.path, pending.names);
  note_overlaps(*rank, pending, built);
  count_slices(built, dictionary.categories, rank->counts);
  RankSlices slices = add_tracks(*rank, pending, order, built);
  add_devices(*rank);  // before links: a thread belongs to the device it launches to

  std::array<Diagnostics, 2> found;
  const std::size_t devices = rank->devices.size();
  run_units(devices + 3, [&](std::size_t unit) {
    if (unit < devices) return add_busy_time(*rank, rank->devices[unit], dictionary.categories);
    if (unit == devices) return link_launches(*rank, correlated_slices(*rank, built), found[0]);
    if (unit == devices + 1) return link_flows(*rank, pending.flows, slices.flows, found[1]);
    add_annotations_and_steps(*rank, slices.annotations, dictionary);
    add_counters(*rank, std::move(pending.counters));
  });
  for (const Diagnostics& each : found) rank->diagnostics.merge(each);
  add_models(*rank, metadata.devices);
  add_span(*rank);
  if (rank->counts.slices == 0)
    rank->diagnostics.add("no-slices", Severity::warning, facts.source.path, Diagnostic::kNoOffset, "");
  apply_time_base(*rank, metadata);
  return rank;
}

}  // namespace warpscope::ingest
