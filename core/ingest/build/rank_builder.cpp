#include "core/ingest/build/rank_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/ingest/build/damage.hpp"
#include "core/ingest/build/metadata.hpp"
#include "core/ingest/build/rank_contents.hpp"
#include "core/ingest/bytes/file_name.hpp"

namespace warpscope::ingest {

using trace::Lane;
using trace::Rank;
using trace::Track;
using trace::TrackKind;

namespace {

// Timestamps above this must be absolute: 10^18 ns is 2001-09-09.
constexpr Ns kCertainlyAbsolute = 1'000'000'000'000'000'000;

void count_slices(const std::vector<BuiltTrack>& built, const trace::Categories& categories,
                  trace::RankCounts& counts) {
  std::array<std::uint64_t, 256> by_category{};
  std::uint64_t waits = 0;
  for (const BuiltTrack& track : built)
    for (const auto& [id, count] : track.by_category) by_category[id] += count;
  for (const BuiltTrack& track : built) waits += track.waits;
  for (std::size_t id = 0; id < by_category.size(); ++id) {
    if (by_category[id] == 0) continue;
    const auto category = static_cast<trace::CategoryId>(id);
    counts.by_category[category] = by_category[id];
    counts.slices += by_category[id];
    if (trace::is_run(categories.role(category))) counts.runs += by_category[id];
  }
  counts.runs -= waits;
}

// Orders streams by device and number, then threads: each process's main thread first, real ids before made-up ones.
std::vector<std::uint32_t> track_order(const std::vector<PendingTrack>& tracks) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < tracks.size(); ++i)
    if (!tracks[i].slices.empty()) order.push_back(i);
  const auto key = [&](std::uint32_t i) {
    const PendingTrack& track = tracks[i];
    return std::tuple(track.kind, track.process < 0, track.process, track.id != track.process, track.id < 0, track.id,
                      std::string_view(track.thread_text), std::string_view(track.process_text));
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

std::string label_of(const PendingRank& pending, const PendingTrack& track) {
  auto named = pending.thread_names.find({track.process_text, track.thread_text});
  // A device thread whose GPU activity has no stream.
  if (track.kind == TrackKind::stream && track.id < 0 && track.thread_text.starts_with('-'))
    named = pending.thread_names.find({track.process_text, track.thread_text.substr(1)});
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
  const auto most = std::ranges::max_element(slices, {}, [](const auto& each) { return each.second; });
  return most == slices.end() ? 0 : most->first;
}

/// Adds the times of all slices to `times` and builds the tracks that have slices, in `order`.
std::vector<BuiltTrack> build_tracks(PendingRank& pending, const std::vector<std::uint32_t>& order,
                                     const NameFacts& names, const trace::Dictionary& dictionary,
                                     const UnitRunner& run_units, const CancelToken* cancel, TimeBulk& times) {
  std::vector<TimeBulk> of_track(order.size());
  std::vector<std::vector<TrackFlow>> flows(pending.tracks.size());
  run_units(order.size() + 1, [&](std::size_t unit) {
    if (unit < order.size()) {
      PendingTrack& track = pending.tracks[order[unit]];
      track.settle();
      track.for_each_time(
          [&](const PendingSlice& slice, Ns begin, Ns duration) { add_time(of_track[unit], slice, begin, duration); });
      return;
    }
    for (std::uint32_t f = 0; f < pending.flows.size(); ++f)
      flows[pending.flows[f].track].push_back({pending.flows[f].time, f, kNoSlice});
  });
  for (const TimeBulk& each : of_track) times.add(each);

  // Largest first, so no thread starts a large track at the end.
  std::vector<std::uint32_t> by_size(order.size());
  std::iota(by_size.begin(), by_size.end(), 0u);
  std::ranges::stable_sort(by_size, std::ranges::greater(),
                           [&](std::uint32_t i) { return pending.tracks[order[i]].slices.size(); });
  const TrackContext context{names, dictionary.categories, Possible(times.bulk()), pending.categories, cancel};
  std::vector<BuiltTrack> built(order.size());
  run_units(order.size(), [&](std::size_t unit) {
    const std::uint32_t i = by_size[unit];
    built[i] = build_track(pending.tracks[order[i]], std::exchange(flows[order[i]], {}), context);
  });
  return built;
}

/// Returns, by pending track, its index in `order`; kNoTrack if it is not in there.
std::vector<std::uint32_t> tracks_in(const std::vector<std::uint32_t>& order, std::size_t pending) {
  std::vector<std::uint32_t> track_of(pending, kNoTrack);
  for (std::uint32_t t = 0; t < order.size(); ++t) track_of[order[t]] = t;
  return track_of;
}

/// Slices recorded by the tracks, as rank ordinals.
struct RankSlices {
  std::vector<trace::SliceOrdinal> annotations;
  std::vector<trace::SliceOrdinal> flows;
  std::vector<trace::Transfers::Transfer> transfers;
};

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
    for (const auto& [slice, bytes] : built[i].transfers) slices.transfers.push_back({base + slice, bytes});
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
    const auto move_all = [&](BigVector<Correlated>& from, BigVector<Correlated>& to) {
      for (const Correlated& each : from) to.push_back({each.correlation(), base + each.slice()});
      from = {};
    };
    move_all(built[t].launches, all.launches);
    move_all(built[t].runs, all.runs);
  }
  return all;
}

/// PyTorch for Ascend NPUs queues its work on the host; the tasks of the device have no categories.
void note_device(Rank& rank, const trace::Categories& categories) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(rank.counts.by_category,
                               [&](const auto& each) { return categories.name(each.first) == name; });
  };
  if (rank.counts.runs == 0 && has("enqueue") && has("dequeue"))
    rank.diagnostics.add("unsupported-device", Severity::warning, rank.source.path, Diagnostic::kNoOffset,
                         "Ascend NPU");
}

// Absolute times need no base; adding one would move the file into the next century.
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

/// The file's own metadata describes its first rank, if it survived the merge at all.
void identify_merged(Rank& rank, const PendingRank& pending, const FileMetadata& metadata, const RankInFile& in_file) {
  rank.number = in_file.number;
  rank.number_assigned = in_file.in_order;
  const auto least = std::max<std::int64_t>(static_cast<std::int64_t>(in_file.ranks), in_file.number + 1);
  if (metadata.world_size.value_or(0) >= least) rank.world_size = *metadata.world_size;
  rank.process = host_process(pending.tracks);
  rank.properties[std::string(kRanksInFile)] = std::to_string(in_file.ranks);
}

void note_clock(Rank& rank, const FileFacts& facts) {
  if (!facts.merged || facts.merged->ranks < 2 || rank.span.begin > rank.span.end) return;
  if (rank.span.begin > kCertainlyAbsolute) return;
  rank.diagnostics.add("clocks-unverified", Severity::info, file_of(facts.source.path), Diagnostic::kNoOffset,
                       "at most one time base for " + std::to_string(facts.merged->ranks) + " ranks");
}

void identify(Rank& rank, const PendingRank& pending, const FileMetadata& metadata, const FileFacts& facts) {
  if (facts.merged) return identify_merged(rank, pending, metadata, *facts.merged);
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

/// Assigns a group's diagnostics to its files.
Diagnostics by_file(const Diagnostics& diagnostics, const std::vector<TextPart>& parts) {
  Diagnostics result;
  for (const Diagnostic& one : diagnostics.all()) {
    const auto after = std::ranges::upper_bound(parts, one.offset, {}, &TextPart::begin);
    if (one.offset == Diagnostic::kNoOffset || after == parts.begin())
      result.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
    else
      result.add(one.code, one.severity, (after - 1)->path, one.offset - (after - 1)->begin, one.example, one.count);
  }
  return result;
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
  if (pending.names.full() || dictionary.names.full())
    rank->diagnostics.add("too-many-names", Severity::warning, facts.source.path, Diagnostic::kNoOffset,
                          StringTable::kFurther);
  const std::vector<std::uint32_t> order = track_order(pending.tracks);
  TimeBulk times;
  std::vector<BuiltTrack> built = build_tracks(pending, order, names, dictionary, run_units, cancel, times);
  if (cancel != nullptr && cancel->cancelled()) return nullptr;
  DamageReport damage;
  for (const BuiltTrack& track : built) damage.add(track.damage);
  damage.write(rank->diagnostics, facts.source.path, pending.names);
  count_slices(built, dictionary.categories, rank->counts);
  note_gaps(times, facts.source.path, rank->diagnostics);
  note_device(*rank, dictionary.categories);
  drop_stray_samples(pending, times, facts.source.path, rank->diagnostics);
  RankSlices slices = add_tracks(*rank, pending, order, built);
  add_devices(*rank);  // before links: a thread's device is the device it launches to

  std::array<Diagnostics, 2> found;
  const std::size_t devices = rank->devices.size();
  run_units(devices + 3, [&](std::size_t unit) {
    // The samples are freed first: the other units use the most memory.
    if (unit == 0) {
      add_counters(*rank, std::move(pending.counters));
      add_memory_curves(*rank, std::move(pending.memory));
      add_annotations_and_steps(*rank, slices.annotations, dictionary);
      rank->transfers = trace::Transfers(std::move(slices.transfers));
      return;
    }
    if (unit <= devices) return add_busy_time(*rank, rank->devices[unit - 1], dictionary.categories);
    if (unit == devices + 1) return link_launches(*rank, correlated_slices(*rank, built), found[0]);
    link_flows(*rank, pending.flows, slices.flows, found[1]);
  });
  if (!pending.graph_flows.empty())
    link_graph_nodes(*rank, pending.graph_flows, tracks_in(order, pending.tracks.size()), found[1]);
  for (const Diagnostics& each : found) rank->diagnostics.merge(each);
  add_models(*rank, metadata.devices);
  add_span(*rank);
  if (rank->counts.slices == 0)
    rank->diagnostics.add("no-slices", Severity::warning, facts.source.path, Diagnostic::kNoOffset, "");
  note_clock(*rank, facts);
  apply_time_base(*rank, metadata);
  if (!pending.parts.empty()) rank->diagnostics = by_file(rank->diagnostics, pending.parts);
  return rank;
}

}  // namespace warpscope::ingest
