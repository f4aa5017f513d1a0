#include "core/ingest/event_lookup.hpp"

#include <utility>

#include "core/ingest/archive_source.hpp"
#include "core/store/stored_archive.hpp"

namespace warpscope::ingest {

void EventLookup::add_read(const std::string& file, std::shared_ptr<const Checkpoints> checkpoints, bool growing) {
  Place place;
  place.checkpoints = std::move(checkpoints);
  place.growing = growing;
  const std::lock_guard lock(mutex_);
  places_.insert_or_assign(file, std::move(place));
}

void EventLookup::add_stored(const std::string& file, const store::StoreFile& store, std::size_t source) {
  Place place;
  place.store = store;
  place.source = source;
  const std::lock_guard lock(mutex_);
  places_.insert_or_assign(file, std::move(place));
}

void EventLookup::forget(const std::string& file) {
  const std::lock_guard lock(mutex_);
  places_.erase(file);
}

std::shared_ptr<const store::EventArchiveReader> EventLookup::archive_of(const std::string& file) const {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(file);
  if (found == places_.end() || !found->second.store) return nullptr;
  Place& place = found->second;
  if (!place.archive) {
    auto opened = store::open_stored_archive(*place.store, place.source);
    if (opened) place.archive = std::move(*opened);
  }
  return place.archive;
}

Result<EventText> EventLookup::read(const trace::Rank& rank, trace::SliceOrdinal slice,
                                    const CancelToken* cancel) const {
  const trace::SlicePlace at = rank.locate(slice);
  const trace::Lane& lane = rank.lanes[at.lane];
  const std::uint64_t offset = lane.offset(at.index);
  if (const auto archive = archive_of(rank.source.path)) {
    // Where the archive does not have it, or is damaged, the source may.
    const auto text = archive->read(offset, {lane.time().begin(at.index), lane.time().duration(at.index)});
    if (text) return archived_event_text(*text);
  }
  trace::SourceFile source = rank.source;
  std::shared_ptr<const Checkpoints> checkpoints;
  {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(rank.source.path);
    if (found != places_.end()) {
      checkpoints = found->second.checkpoints;
      // What was read of a file stays where it is while more is appended.
      if (found->second.growing) source.size = source.inode = 0, source.modified_ns = 0;
    }
  }
  return read_event_at(source, offset, cancel, checkpoints.get());
}

}  // namespace warpscope::ingest
