#include "core/ingest/load/event_lookup.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::ingest {

namespace {

struct Event {
  std::uint64_t id = 0;
  trace::SliceOrdinal slice = 0;
};

/// The events of slices, in the order of the text.
std::vector<Event> events_of(const trace::Rank& rank, const std::vector<trace::SliceOrdinal>& slices) {
  std::vector<Event> events;
  events.reserve(slices.size());
  for (const trace::SliceOrdinal slice : slices) {
    const trace::SlicePlace at = rank.locate(slice);
    events.push_back({rank.lanes[at.lane].event(at.index), slice});
  }
  std::ranges::sort(events, {}, &Event::id);
  return events;
}

}  // namespace

void EventLookup::add_read(const std::string& file, bool growing) {
  Place place;
  place.growing = growing;
  const MutexLock lock(mutex_);
  places_.insert_or_assign(file, std::move(place));
}

void EventLookup::add_stored(const std::string& file, const store::StoreFile& store, std::size_t source,
                             StoreIs store_is) {
  Place place;
  place.store = store;
  place.source = source;
  place.store_is = store_is;
  const MutexLock lock(mutex_);
  places_.insert_or_assign(file, std::move(place));
}

void EventLookup::forget(const std::string& file) {
  const MutexLock lock(mutex_);
  for (auto at = places_.lower_bound(file); at != places_.end() && at->first.starts_with(file);)
    at = file_of(at->first) == file ? places_.erase(at) : std::next(at);
}

std::map<std::string, Error> EventLookup::take_damaged() {
  const MutexLock lock(mutex_);
  return std::exchange(damaged_, {});
}

EventLookup::Place EventLookup::place_of(const std::string& file) const {
  const MutexLock lock(mutex_);
  const auto found = places_.find(file);
  return found == places_.end() ? Place() : found->second;
}

Result<std::string> EventLookup::stored_text(const std::string& file, Place& place, std::uint64_t event,
                                             const store::EventFacts& facts) const {
  const store::StoreFile& store = *place.store;
  if (!store.sources()[place.source].archive)
    return Error{store.name(), "has no arguments for " + file, "convert the original traces again"};
  const auto damaged = [&](const Error& error) {
    if (place.store_is == StoreIs::carried) {
      store.note_damage(error);
    } else {
      const MutexLock lock(mutex_);
      damaged_.emplace(file, error);
    }
    return error;
  };
  if (!place.archive) {
    auto opened = store::EventArchiveReader::open(store, place.source);
    if (!opened) return damaged(opened.error());
    place.archive = std::move(*opened);
    const MutexLock lock(mutex_);
    const auto found = places_.find(file);
    if (found != places_.end() && found->second.store && &found->second.store->directory() == &store.directory())
      found->second.archive = place.archive;
  }
  auto text = place.archive->read(event, facts);
  if (!text) return damaged(text.error());
  return text;
}

Failure EventLookup::read_each(const trace::Rank& rank, const std::vector<trace::SliceOrdinal>& slices,
                               const std::function<void(trace::SliceOrdinal, const EventText&)>& visit,
                               const CancelToken* cancel, WantedRows wanted) const {
  const std::vector<Event> events = events_of(rank, slices);
  const TraceFormat& format = format_of(rank);
  std::span<const Event> left = events;
  Place place = place_of(rank.source.path);
  Failure missing;
  for (; place.store && !left.empty(); left = left.subspan(1)) {
    if (cancel != nullptr && cancel->cancelled()) return Error{rank.source.path, "reading was cancelled", ""};
    const Event& event = left.front();
    const trace::SlicePlace at = rank.locate(event.slice);
    const trace::TimeColumn& time = rank.lanes[at.lane].time();
    const store::EventFacts facts{time.begin(at.index), time.duration(at.index)};
    const auto text = stored_text(rank.source.path, place, event.id, facts);
    if (!text) {
      missing = text.error();
      break;
    }
    visit(event.slice, format.archived_event(*text, wanted));
  }
  // If the store lacks the event, the source may have it.
  trace::SourceFile source = rank.source;
  // Appending to a file does not move the text already read; adding a file to a group may.
  if (place.growing && !is_group(source.path)) source.size = source.inode = 0, source.modified_ns = 0;
  std::vector<std::uint64_t> ids;
  ids.reserve(left.size());
  for (const Event& event : left) ids.push_back(event.id);
  Failure failure = format.read_events(
      source, ids, [&](std::size_t i, const EventText& event) { visit(left[i].slice, event); }, wanted, cancel);
  const bool cancelled = cancel != nullptr && cancel->cancelled();
  if (failure && missing && place.store_is == StoreIs::carried && !cancelled) return missing;
  return failure;
}

Failure EventLookup::read_ranks(std::span<const RankSlices> ranks,
                                const std::function<void(std::size_t, trace::SliceOrdinal, const EventText&)>& visit,
                                const CancelToken* cancel, WantedRows wanted) const {
  const bool stored = std::ranges::any_of(
      ranks, [this](const auto& each) { return place_of(each.rank.source.path).store.has_value(); });
  if (stored || ranks.size() < 2) {
    Failure first;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto visit_one = [&](trace::SliceOrdinal slice, const EventText& event) { visit(r, slice, event); };
      Failure failure = read_each(ranks[r].rank, ranks[r].slices, visit_one, cancel, wanted);
      if (!first) first = std::move(failure);
    }
    return first;
  }
  struct EventOfRank : Event {
    std::size_t rank = 0;
  };
  std::vector<EventOfRank> events;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (const Event& event : events_of(ranks[r].rank, ranks[r].slices)) events.push_back({event, r});
  std::ranges::sort(events, {}, &EventOfRank::id);
  std::vector<std::uint64_t> ids;
  ids.reserve(events.size());
  for (const EventOfRank& event : events) ids.push_back(event.id);
  trace::SourceFile source = ranks.front().rank.source;
  if (place_of(source.path).growing) source.size = source.inode = 0, source.modified_ns = 0;
  return format_of(ranks.front().rank)
      .read_events(
          source, ids, [&](std::size_t i, const EventText& event) { visit(events[i].rank, events[i].slice, event); },
          wanted, cancel);
}

Result<EventText> EventLookup::read(const trace::Rank& rank, trace::SliceOrdinal slice,
                                    const CancelToken* cancel) const {
  EventText event;
  const auto keep = [&](trace::SliceOrdinal, const EventText& found) { event = found; };
  if (auto failure = read_each(rank, {slice}, keep, cancel)) return *failure;
  return event;
}

}  // namespace warpscope::ingest
