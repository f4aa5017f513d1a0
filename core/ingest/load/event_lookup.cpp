#include "core/ingest/load/event_lookup.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::ingest {

namespace {

struct Event {
  std::uint64_t id = 0;
  trace::SliceOrdinal slice = 0;
  std::size_t rank = 0;
};

/// Returns the slices' events in text order.
std::vector<Event> events_of(const EventLookup::RankSlices& of, std::size_t number) {
  std::vector<Event> events;
  events.reserve(of.slices.size());
  for (const trace::SliceOrdinal slice : of.slices) {
    const trace::SlicePlace at = of.rank.locate(slice);
    events.push_back({of.rank.lanes[at.lane].event(at.index), slice, number});
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
                             bool only_copy) {
  Place place;
  place.store = store;
  place.source = source;
  place.only_copy = only_copy;
  const MutexLock lock(mutex_);
  places_.insert_or_assign(file, std::move(place));
}

void EventLookup::forget(const std::string& file) {
  const MutexLock lock(mutex_);
  for (auto at = places_.lower_bound(file); at != places_.end() && at->first.starts_with(file);)
    at = file_of(at->first) == file ? places_.erase(at) : std::next(at);
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
    store.note_damage(error);
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

Failure EventLookup::read_ranks(std::span<const RankSlices> ranks,
                                const std::function<void(std::size_t, trace::SliceOrdinal, const EventText&)>& visit,
                                const CancelToken* cancel, WantedRows wanted) const {
  const auto cancelled = [cancel] { return cancel != nullptr && cancel->cancelled(); };
  std::vector<Event> left;  // to be read from the source
  Failure missing;          // from a store that is the only copy
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const trace::Rank& rank = ranks[r].rank;
    const TraceFormat& format = format_of(rank);
    const std::vector<Event> events = events_of(ranks[r], r);
    auto event = events.begin();
    for (Place place = place_of(rank.source.path); place.store && event != events.end(); ++event) {
      if (cancelled()) return Error{rank.source.path, "reading was cancelled", ""};
      const trace::SlicePlace at = rank.locate(event->slice);
      const trace::TimeColumn& time = rank.lanes[at.lane].time();
      const auto text =
          stored_text(rank.source.path, place, event->id, {time.begin(at.index), time.duration(at.index)});
      if (!text) {
        if (!missing && place.only_copy) missing = text.error();
        break;
      }
      visit(r, event->slice, format.archived_event(*text, wanted));
    }
    // If the event is not in the store, it may be in the source.
    left.insert(left.end(), event, events.end());
  }
  if (left.empty()) return {};
  std::ranges::sort(left, {}, &Event::id);
  std::vector<std::uint64_t> ids;
  ids.reserve(left.size());
  for (const Event& event : left) ids.push_back(event.id);
  const trace::Rank& rank = ranks[left.front().rank].rank;
  trace::SourceFile source = rank.source;
  // Appending to a file does not move text that was already read; adding a file to a group may.
  if (place_of(source.path).growing && !is_group(source.path)) source.size = source.inode = 0, source.modified_ns = 0;
  Failure failure = format_of(rank).read_events(
      source, ids, [&](std::size_t i, const EventText& event) { visit(left[i].rank, left[i].slice, event); }, wanted,
      cancel);
  return failure && missing && !cancelled() ? missing : failure;
}

Failure EventLookup::read_each(const trace::Rank& rank, const std::vector<trace::SliceOrdinal>& slices,
                               const std::function<void(trace::SliceOrdinal, const EventText&)>& visit,
                               const CancelToken* cancel, WantedRows wanted) const {
  const RankSlices all{rank, slices};
  const auto visit_one = [&](std::size_t, trace::SliceOrdinal slice, const EventText& event) { visit(slice, event); };
  return read_ranks({&all, 1}, visit_one, cancel, wanted);
}

Result<EventText> EventLookup::read(const trace::Rank& rank, trace::SliceOrdinal slice,
                                    const CancelToken* cancel) const {
  EventText event;
  const auto keep = [&](trace::SliceOrdinal, const EventText& found) { event = found; };
  if (auto failure = read_each(rank, {slice}, keep, cancel)) return *failure;
  return event;
}

}  // namespace warpscope::ingest
