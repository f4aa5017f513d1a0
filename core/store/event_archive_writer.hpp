#pragma once
// Writes the archive of one source's event texts: blocks one after the other, an index of them, a footer. Sequential;
// memory is one block.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/store/event_block_writer.hpp"

namespace warpscope::store {

/// zstd's; blocks are small and most of what they hold repeats, so higher ones cost little.
inline constexpr int kArchiveLevel = 12;

class EventArchiveWriter {
 public:
  /// Takes the archive's next bytes.
  using Sink = std::function<Failure(std::span<const char>)>;

  explicit EventArchiveWriter(Sink sink, int level = kArchiveLevel) : sink_(std::move(sink)), block_(level) {}

  /// Adds the text of the event at `offset` of its source; any bytes will do. Offsets must rise. Errors: the sink's;
  /// offsets that do not rise; a text longer than kLongestEventText. After an error the archive is of no use.
  [[nodiscard]] Failure add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  /// Writes what is left and the index. The last call.
  [[nodiscard]] Failure finish();

  /// Events added, and bytes given to the sink, so far.
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  Failure write(std::string_view bytes);
  Failure close_block();

  Sink sink_;
  EventBlockWriter block_;
  std::string index_;
  std::uint64_t blocks_ = 0;
  std::uint64_t indexed_offset_ = 0;
  std::uint64_t last_offset_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpscope::store
