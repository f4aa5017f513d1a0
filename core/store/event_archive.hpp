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
  /// order of offset. `apart`: it is often read, with others like it, so these share blocks. Errors: the store cannot
  /// be written; the offset is out of order; the text is longer than kLongestEventText. After an error, the archive is
  /// unusable.
  [[nodiscard]] Failure add(std::uint64_t offset, std::string_view text, const EventFacts& facts, bool apart = false);
  /// Writes the remaining events and adds the archive to the store. Must be the last call.
  [[nodiscard]] Failure finish();

 private:
  Failure close_block(bool apart);

  StoreWriter& store_;
  std::size_t source_;
  EventBlockWriter block_;
  EventBlockWriter apart_;
  std::vector<ArchiveBlock> blocks_;
  std::uint64_t next_offset_ = 0;  // minimum for the next event
};

/// Reads individual events from an archive. Keeps only the index and two blocks in memory. Thread-safe.
class EventArchiveReader {
 public:
  /// Opens the archive of source number `source`; keeps the store open. Errors: there is no archive; it is corrupt.
  [[nodiscard]] static Result<std::shared_ptr<const EventArchiveReader>> open(const StoreFile& store,
                                                                              std::size_t source);

  /// Returns the text of the event at `offset` in the source, byte for byte. `facts` must equal those passed to the
  /// writer. Unpacks at most two blocks, and none if the last event read was earlier in the same blocks. Errors: no
  /// event at `offset`; the archive is corrupt.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, const EventFacts& facts) const;

 private:
  /// Blocks in source order, and a position in one of them.
  struct Series {
    std::vector<ArchiveBlock> blocks;
    std::size_t open = 0;                    // the block of events
    std::optional<EventBlockReader> events;  // at the last event read
    std::optional<std::uint64_t> passed;     // offset of the event before
  };

  EventArchiveReader(StoreFile store, std::vector<ArchiveBlock> blocks);
  /// Moves to the event at `offset`; returns false if there is none. Errors: the archive is corrupt.
  [[nodiscard]] Result<bool> find(Series& series, std::uint64_t offset) const;

  StoreFile store_;
  mutable Mutex mutex_;
  mutable Series apart_ GUARDED_BY(mutex_);
  mutable Series others_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::store
