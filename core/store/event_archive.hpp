#pragma once
// A source's archive contains the text of its events, so a slice's arguments can be shown without the source.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/store/event_block.hpp"
#include "core/store/reader.hpp"
#include "core/store/writer.hpp"

namespace warpscope::store {

/// Writes the archive of one source. Writes events in order; keeps one block in memory.
class EventArchiveWriter {
 public:
  /// Starts the archive of source number `source` in `store`. `store` must outlive this object.
  EventArchiveWriter(StoreWriter& store, std::size_t source) : store_(store), source_(source) {}

  /// Adds the text of the event at `offset` in the source; any bytes are allowed. Events must be added in ascending
  /// order of offset. Errors: the store cannot be written; the offset is out of order; the text is longer than
  /// kLongestEventText. After an error, the archive is unusable.
  [[nodiscard]] Failure add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  /// Writes the remaining events and adds the archive to the store. Must be the last call.
  [[nodiscard]] Failure finish();

 private:
  Failure close_block();

  StoreWriter& store_;
  std::size_t source_;
  EventBlockWriter block_;
  std::vector<ArchiveBlock> blocks_;
  std::uint64_t next_offset_ = 0;  // minimum for the next event
};

/// Reads individual events from an archive. Keeps only the index and one block in memory. Thread-safe.
class EventArchiveReader {
 public:
  /// Opens the archive of source number `source`; keeps the store open. Errors: there is no archive; it is corrupt.
  [[nodiscard]] static Result<std::shared_ptr<const EventArchiveReader>> open(const StoreFile& store,
                                                                              std::size_t source);

  /// Returns the text of the event at `offset` in the source, byte for byte. `facts` must equal those passed to the
  /// writer. Unpacks at most one block, and none if the last event read was earlier in the same block. Errors: no event
  /// at `offset`; the archive is corrupt.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, const EventFacts& facts) const;

 private:
  EventArchiveReader(StoreFile store, std::vector<ArchiveBlock> blocks)
      : store_(std::move(store)), blocks_(std::move(blocks)) {}

  StoreFile store_;
  std::vector<ArchiveBlock> blocks_;
  mutable Mutex mutex_;
  mutable std::size_t open_block_ GUARDED_BY(mutex_) = 0;              // the block of events_
  mutable std::optional<EventBlockReader> events_ GUARDED_BY(mutex_);  // at the last event read
};

}  // namespace warpscope::store
