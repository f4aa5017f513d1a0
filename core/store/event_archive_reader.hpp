#pragma once
// The texts of one source's events, one at a time, out of an archive that lies anywhere: bytes are asked for by
// position. Only the index stays in memory, and the block that was read last.
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

/// May be used from several threads, if the fetching function may.
class EventArchiveReader {
 public:
  /// Fills `into` with the archive's bytes from `position` on; an error if there are fewer.
  using Fetch = std::function<Failure(std::uint64_t position, std::span<char> into)>;

  /// Reads the index of the archive of `size` bytes. Errors: the fetching function's; what is there is no archive.
  [[nodiscard]] static Result<std::unique_ptr<EventArchiveReader>> open(std::uint64_t size, Fetch fetch);

  /// The text of the event at `offset` of its source, byte for byte; `facts` as they were given to the writer. Reads at
  /// most one block. Errors: the fetching function's; no event is there; the archive is damaged.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, const EventFacts& facts) const;

  /// All events in the order of the source, block by block. Errors: as read(); what was visited until then was sound.
  [[nodiscard]] Failure for_each(const EventBlock::FactsOf& facts_of, const EventBlock::Visit& visit) const;

  /// Holds every block against its hash. Memory: one block. Errors: the fetching function's; a block is damaged.
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
