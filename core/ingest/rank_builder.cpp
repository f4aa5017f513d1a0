#include "core/ingest/rank_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/ingest/damage.hpp"
#include "core/ingest/file_name.hpp"
#include "core/ingest/kineto/metadata.hpp"
#include "core/ingest/lane_builder.hpp"
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

void count_slices(const PendingRank& pending, const trace::Categories& categories, trace::RankCounts& counts) {
  std::array<std::uint64_t, 256> by_category{};
  for (const PendingTrack& track : pending.tracks)
    for (const PendingSlice& slice : track.slices)
      if (!(slice.flags & (PendingSlice::kInstant | PendingSlice::kIncomplete))) ++by_category[slice.category];
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
                      track.thread_text);
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

void add_tracks(Rank& rank, PendingRank& pending, const trace::Dictionary& dictionary, const NameFacts& names) {
  CorrelatedSlices correlated;
  std::vector<std::uint32_t> track_of(pending.tracks.size(), trace::IntervalTree::kNone);
  rank.lane_start.assign(1, 0);
  for (const std::uint32_t i : track_order(pending.tracks)) {
    track_of[i] = static_cast<std::uint32_t>(rank.tracks.size());
    add_track(rank, pending.tracks[i], names, dictionary, pending.correlations, correlated);
    rank.tracks.back().label = label_of(pending, pending.tracks[i]);
  }
  rank.lanes.shrink_to_fit();
  rank.lane_start.shrink_to_fit();

  // Devices before links: a thread belongs to the device it launches to.
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const Track& track = rank.tracks[t];
    if (track.kind != TrackKind::stream) continue;
    auto device = std::find_if(rank.devices.begin(), rank.devices.end(),
                               [&](const trace::Device& known) { return known.id == track.process; });
    if (device == rank.devices.end()) {
      trace::Device fresh;
      fresh.id = track.process;
      device = rank.devices.insert(rank.devices.end(), std::move(fresh));
    }
    device->streams.push_back(t);
    rank.tracks[t].device = static_cast<std::int32_t>(device - rank.devices.begin());
  }
  link_launches(rank, std::move(correlated));
  link_flows(rank, std::move(pending.flows), track_of);
}

bool holds_runs(const Lane& lane) {
  return lane.kind() == LaneKind::nested || lane.kind() == LaneKind::overflow || lane.kind() == LaneKind::folded;
}

// Busy is a union over the device's streams, of kernels, copies and sets only.
void add_busy_time(Rank& rank, const trace::Categories& categories) {
  for (trace::Device& device : rank.devices) {
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
    std::sort(busy.begin(), busy.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    device.busy = trace::merged_intervals(busy);
  }
  // A stream that only shows synchronisation rows is no device at work.
  std::erase_if(rank.devices, [](const trace::Device& device) { return device.streams.empty(); });
}

void add_annotations_and_steps(Rank& rank, const trace::Dictionary& dictionary) {
  std::unordered_map<NameId, std::string> families;
  const auto family_of = [&](NameId name) -> const std::string& {
    const auto [entry, fresh] = families.try_emplace(name);
    if (fresh) entry->second = trace::annotation_family(dictionary.names.view(name));
    return entry->second;
  };
  // Before annotations had a category of their own, steps were operators.
  const auto is_annotation = [&](const Lane& lane, std::uint32_t i) {
    const Role role = dictionary.categories.role(lane.category(i));
    return role == Role::annotation ||
           (role == Role::op && dictionary.names.view(lane.name(i)).starts_with("ProfilerStep#"));
  };
  const auto for_each_annotation = [&](const auto& visit) {
    for (const Track& track : rank.tracks) {
      if (track.kind != TrackKind::thread) continue;
      for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
        const Lane& lane = rank.lanes[l];
        if (!holds_runs(lane)) continue;
        for (std::uint32_t i = 0; i < lane.size(); ++i)
          if (is_annotation(lane, i)) visit(l, i);
      }
    }
  };
  for_each_annotation(
      [&](std::uint32_t lane, std::uint32_t i) { ++rank.annotations[family_of(rank.lanes[lane].name(i))]; });
  const std::string step = trace::step_family(rank.annotations);
  if (step.empty()) return;
  for_each_annotation([&](std::uint32_t l, std::uint32_t i) {
    const Lane& lane = rank.lanes[l];
    if (family_of(lane.name(i)) != step) return;
    rank.steps.push_back({lane.name(i), {lane.time().begin(i), lane.time().end(i)}, rank.ordinal({l, i})});
  });
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

std::shared_ptr<const Rank> build_rank(PendingRank pending, trace::Dictionary& dictionary, const FileFacts& facts) {
  auto rank = std::make_shared<Rank>();
  rank->source = facts.source;
  FileMetadata metadata;
  for (const auto& [key, json] : pending.metadata) add_metadata(metadata, key, json, pending.diagnostics, pending.file);
  flag_impossible_slices(pending, dictionary.categories);
  rank->diagnostics = std::move(pending.diagnostics);
  rank->properties = std::move(pending.metadata);
  rank->counts.events = pending.events;
  identify(*rank, pending, metadata, facts);
  count_slices(pending, dictionary.categories, rank->counts);

  const NameFacts names = publish_names(pending.names, dictionary);
  add_tracks(*rank, pending, dictionary, names);
  add_busy_time(*rank, dictionary.categories);
  for (trace::Device& device : rank->devices)
    for (const DeviceProperties& known : metadata.devices)
      if (known.id == device.id) device.model = known.name;
  add_annotations_and_steps(*rank, dictionary);
  add_counters(*rank, std::move(pending.counters));
  add_span(*rank);
  if (rank->counts.slices == 0)
    rank->diagnostics.add("no-slices", Severity::warning, facts.source.path, Diagnostic::kNoOffset, "");
  apply_time_base(*rank, metadata);
  return rank;
}

}  // namespace warpscope::ingest
