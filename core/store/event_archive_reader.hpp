#pragma once
// Reads single event texts of one source from an archive, wherever it is: a callback fetches bytes by position. Keeps
// only the index and the last block in memory.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/event_block_reader.hpp"

namespace warpscope::store {

/// Thread-safe if the fetch function is.
class EventArchiveReader {
 public:
  /// Fills `into` with the archive's bytes from `position`; fails if there are fewer.
  using Fetch = std::function<Failure(std::uint64_t position, std::span<char> into)>;

  /// Reads the index of an archive of `size` bytes. Errors: those of the fetch function; not an archive.
  [[nodiscard]] static Result<std::unique_ptr<EventArchiveReader>> open(std::uint64_t size, Fetch fetch);

  /// Returns the text of the event at `offset` of its source, byte for byte. `facts` must be those given to the writer.
  /// Reads at most one block. Errors: those of the fetch function; no event at `offset`; the archive is corrupt.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, const EventFacts& facts) const;

  /// Visits all events in the order of the source, block by block. Errors: as read(); events visited before an error
  /// are valid.
  [[nodiscard]] Failure for_each(const EventBlock::FactsOf& facts_of, const EventBlock::Visit& visit) const;

  /// Checks the hash of every block. Memory: one block. Errors: those of the fetch function; a block is corrupt.
  [[nodiscard]] Failure verify() const;

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  struct Block {
    std::uint64_t first_offset = 0;
    std::uint64_t position = 0;
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
  };

  explicit EventArchiveReader(Fetch fetch) : fetch_(std::move(fetch)) {}
  bool read_index(std::span<const char> index, std::uint64_t blocks_end);
  [[nodiscard]] Result<std::string> bytes_of(const Block& block) const;
  [[nodiscard]] Result<std::shared_ptr<const EventBlock>> block(std::size_t number) const;

  Fetch fetch_;
  std::vector<Block> blocks_;
  std::uint64_t events_ = 0;
  mutable std::mutex mutex_;  // guards everything below
  mutable std::size_t last_number_ = 0;
  mutable std::shared_ptr<const EventBlock> last_;
};

}  // namespace warpscope::store
