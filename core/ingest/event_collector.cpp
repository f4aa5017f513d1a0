#include "core/ingest/event_collector.hpp"

#include <charconv>

#include "core/ingest/flat_arguments.hpp"

namespace warpscope::ingest {

using trace::Role;
using trace::TrackKind;

namespace {

// "4045", "-1" and "stream 7" have a number; "Spans" gets one of its own, negative and far from real ones.
std::int64_t number_of(std::string_view text) {
  constexpr std::string_view kStream = "stream ";
  std::string_view digits = text;
  if (digits.starts_with(kStream)) digits.remove_prefix(kStream.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc{} && end == digits.data() + digits.size()) return number;
  return -1'000'000'000 - static_cast<std::int64_t>(stable_hash(text));
}

std::uint64_t id_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  return static_cast<std::uint64_t>(stable_hash(text)) << 32 | text.size();
}

bool on_stream(Role role) { return trace::is_run(role) || role == Role::gpu_annotation || role == Role::sync; }

}  // namespace

EventCollector::EventCollector(PendingRank& rank, trace::Categories& categories)
    : rank_(rank), categories_(categories) {}

void EventCollector::note(std::string_view code, Severity severity, const RawEvent& event, std::string_view example) {
  rank_.diagnostics.add(code, severity, rank_.file, event.offset, example);
}

trace::CategoryId EventCollector::category_of(std::string_view name) {
  for (const CachedCategory& cached : category_cache_)
    if (cached.name == name) return cached.id;
  const trace::CategoryId id = categories_.intern(name);
  category_cache_.push_back({std::string(name), id});
  return id;
}

std::uint32_t EventCollector::track_of(std::string_view process, std::string_view thread, TrackKind kind) {
  track_key_.assign(1, static_cast<char>('0' + static_cast<int>(kind)));
  track_key_.append(process).append(1, '\0').append(thread);
  for (const CachedTrack& cached : recent_tracks_)
    if (cached.key == track_key_) return cached.track;
  const auto [entry, fresh] = tracks_.try_emplace(track_key_, static_cast<std::uint32_t>(rank_.tracks.size()));
  if (fresh) {
    PendingTrack track;
    track.kind = kind;
    track.process = number_of(process);
    track.id = number_of(thread);
    track.process_text = process;
    track.thread_text = thread;
    rank_.tracks.push_back(std::move(track));
  }
  recent_tracks_[next_recent_++ % recent_tracks_.size()] = {track_key_, entry->second};
  return entry->second;
}

std::uint32_t EventCollector::track_of(const RawEvent& event, Role role) {
  return track_of(event.process, event.thread, on_stream(role) ? TrackKind::stream : TrackKind::thread);
}

PendingSlice EventCollector::slice_of(const RawEvent& event) {
  PendingSlice slice;
  slice.begin = event.time;
  slice.duration = event.has_duration ? event.duration : 0;
  slice.name = rank_.names.intern(event.name);
  slice.category = category_of(event.category);
  slice.set_offset(event.offset);
  if (!event.has_time) {
    slice.flags |= PendingSlice::kDamaged;
    note("missing-time", Severity::warning, event, event.name);
  }
  return slice;
}

void EventCollector::event(const RawEvent& event) {
  ++rank_.events;
  switch (event.phase) {
    case 'X':
      add_slice(event, 0);
      break;
    case 'B':
      begin_slice(event);
      break;
    case 'E':
      end_slice(event);
      break;
    case 'i':
    case 'I':
    case 'R':
    case 'n':
      add_slice(event, PendingSlice::kInstant);
      break;
    case 'b':
    case 'e':
      add_async(event);
      break;
    case 'C':
      add_counter(event);
      break;
    case 's':
    case 't':
    case 'f':
      add_flow(event);
      break;
    case 'M':
      add_names(event);
      break;
    case 'N':
    case 'D':
    case 'O':
      note("object-event", Severity::info, event, event.name);
      break;
    case 0:
      note("missing-phase", Severity::warning, event, event.name);
      break;
    default:
      note("unknown-phase", Severity::info, event, std::string_view(&event.phase, 1));
      break;
  }
}

void EventCollector::add_slice(const RawEvent& event, std::uint8_t flags) {
  PendingSlice slice = slice_of(event);
  slice.flags |= flags;
  const bool instant = (flags & PendingSlice::kInstant) != 0;
  if (!instant && !event.has_duration) note("missing-duration", Severity::warning, event, event.name);
  const Role role = categories_.role(slice.category);
  if (event.has_correlation && (role == Role::launch || trace::is_run(role))) {
    rank_.correlations.push_back(event.correlation);
    slice.correlation = static_cast<std::uint32_t>(rank_.correlations.size());
  }
  rank_.tracks[track_of(event, instant ? Role::instant : role)].slices.push_back(slice);
}

void EventCollector::begin_slice(const RawEvent& event) {
  const PendingSlice slice = slice_of(event);
  PendingTrack& track = rank_.tracks[track_of(event, categories_.role(slice.category))];
  track.open.push_back(static_cast<std::uint32_t>(track.slices.size()));
  track.slices.push_back(slice);
}

void EventCollector::end_slice(const RawEvent& event) {
  // The category may be left out of an E: the open B decides where it belongs.
  for (const TrackKind kind : {TrackKind::thread, TrackKind::stream}) {
    PendingTrack& track = rank_.tracks[track_of(event.process, event.thread, kind)];
    if (track.open.empty()) continue;
    PendingSlice& slice = track.slices[track.open.back()];
    track.open.pop_back();
    if (event.has_time)
      slice.duration = event.time - slice.begin;
    else
      slice.flags |= PendingSlice::kDamaged;
    return;
  }
  note("end-without-begin", Severity::warning, event, event.name);
}

void EventCollector::add_async(const RawEvent& event) {
  std::string key(event.category);
  key.append(1, '\0').append(event.id).append(1, '\0').append(event.name);
  if (event.phase == 'b') {
    PendingSlice slice = slice_of(event);
    slice.flags |= PendingSlice::kIncomplete;
    const std::uint32_t track = track_of(event.process, event.category, TrackKind::async);
    async_open_[key] = {track, static_cast<std::uint32_t>(rank_.tracks[track].slices.size())};
    rank_.tracks[track].slices.push_back(slice);
    return;
  }
  const auto open = async_open_.find(key);
  if (open == async_open_.end()) {
    note("end-without-begin", Severity::warning, event, event.name);
    return;
  }
  PendingSlice& slice = rank_.tracks[open->second.first].slices[open->second.second];
  if (event.has_time) slice.duration = event.time - slice.begin;
  async_open_.erase(open);
}

void EventCollector::add_counter(const RawEvent& event) {
  if (!event.has_time) {
    note("missing-time", Severity::warning, event, event.name);
    return;
  }
  for_each_argument(event.arguments, [&](std::string_view series, std::string_view value) {
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) return;
    std::string name(event.name);
    if (!event.process.empty()) name.append(" · ").append(event.process);
    if (!series.empty()) name.append(" · ").append(series);
    const auto [entry, fresh] = counters_.try_emplace(name, rank_.counters.size());
    if (fresh) rank_.counters.push_back({name, {}});
    rank_.counters[entry->second].samples.emplace_back(event.time, static_cast<float>(number));
  });
}

void EventCollector::add_flow(const RawEvent& event) {
  // Launch → run arrows ("ac2g", "async_gpu") say again what correlation ids say better; they are orphaned for every
  // runtime call that launches nothing. Forward → backward has nothing else.
  if (event.category != "fwdbwd" && event.name != "fwdbwd") return;
  if (event.phase == 't' || !event.has_time) return;
  const std::uint32_t track = track_of(event.process, event.thread, TrackKind::thread);
  rank_.flows.push_back({id_of(event.id), event.time, track, event.phase == 's'});
}

void EventCollector::add_names(const RawEvent& event) {
  const auto value_of = [&](std::string_view key) {
    std::string found;
    for_each_argument(event.arguments, [&](std::string_view name, std::string_view value) {
      if (name == key) found = value;
    });
    while (!found.empty() && found.back() == ' ') found.pop_back();
    return found;
  };
  if (event.name == "thread_name") {
    rank_.thread_names[{std::string(event.process), std::string(event.thread)}] = value_of("name");
  } else if (event.name == "process_name") {
    rank_.process_names[std::string(event.process)] = value_of("name");
  } else if (event.name == "process_labels") {
    rank_.process_labels[std::string(event.process)] = value_of("labels");
  }
}

void EventCollector::metadata(std::string_view key, std::string_view json) {
  // Log arrays of some exporters run to megabytes and nobody asks for them.
  constexpr std::size_t kLongest = 1 << 20;
  const bool used = key == "distributedInfo" || key == "deviceProperties";
  rank_.metadata[std::string(key)] = used ? json : json.substr(0, kLongest);
}

void EventCollector::finish() {
  for (PendingTrack& track : rank_.tracks) {
    for (const std::uint32_t index : track.open) {
      PendingSlice& slice = track.slices[index];
      slice.flags |= PendingSlice::kInstant;
      rank_.diagnostics.add("begin-without-end", Severity::warning, rank_.file, slice.offset(),
                            rank_.names.view(slice.name));
    }
    track.open.clear();
  }
  for (const auto& [key, place] : async_open_) {
    PendingSlice& slice = rank_.tracks[place.first].slices[place.second];
    slice.flags |= PendingSlice::kInstant;
    rank_.diagnostics.add("begin-without-end", Severity::warning, rank_.file, slice.offset(),
                          rank_.names.view(slice.name));
  }
  async_open_.clear();
}

}  // namespace warpscope::ingest
