#pragma once
// Writes the archive of one source's event texts: blocks, an index of them, a footer. Sequential; keeps one block in
// memory.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/store/event_block_writer.hpp"

namespace warpscope::store {

/// zstd level. Blocks are small and repetitive, so higher levels cost little.
inline constexpr int kArchiveLevel = 12;

class EventArchiveWriter {
 public:
  /// Receives the archive's next bytes.
  using Sink = std::function<Failure(std::span<const char>)>;

  explicit EventArchiveWriter(Sink sink, int level = kArchiveLevel) : sink_(std::move(sink)), block_(level) {}

  /// Adds the text of the event at `offset` of its source; any bytes are allowed. Offsets must ascend. Errors: those of
  /// the sink; offsets that do not ascend; a text longer than kLongestEventText. After an error the archive is
  /// unusable.
  [[nodiscard]] Failure add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  /// Writes the remaining events and the index. Must be the last call.
  [[nodiscard]] Failure finish();

  /// Events added, and bytes passed to the sink, so far.
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
