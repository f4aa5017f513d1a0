#pragma once
// Source of a document's text: one stream read from start to end, or pieces read by several threads.
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/progress.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest::json {

class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Writes text starting at `offset` to `into` (not empty) and returns its length; 0 at the end. `offset` is the end
  /// of the previous text or the position returned by take(). Errors: those of ByteStream::read().
  virtual Result<std::size_t> read(std::uint64_t offset, std::span<char> into) = 0;
};

/// A run of events separated only by commas.
struct ParsedStretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< after its last event; equal to begin if there is none
  std::uint64_t events = 0;
};

/// Events parsed ahead of the reader, at positions it will probably reach.
class ParsedAhead {
 public:
  virtual ~ParsedAhead() = default;
  /// If parsed events start at `offset`, delivers them as if they had been read, and returns where they end. The next
  /// text is read from that end, or up to kLead before it.
  virtual std::optional<ParsedStretch> take(std::uint64_t offset) = 0;
};

/// Bytes kept before the reader's position, for use in diagnostics.
inline constexpr std::size_t kLead = 32;

/// Reads text from a stream without skipping any. `progress` (may be null) advances by the compressed bytes consumed.
class StreamSource final : public TextSource {
 public:
  explicit StreamSource(ByteStream& stream, Progress* progress = nullptr) : stream_(stream), progress_(progress) {}
  Result<std::size_t> read(std::uint64_t, std::span<char> into) override {
    auto got = stream_.read(into);
    if (progress_ != nullptr) {
      progress_->done.fetch_add(stream_.consumed() - reported_, std::memory_order_relaxed);
      reported_ = stream_.consumed();
    }
    return got;
  }

 private:
  ByteStream& stream_;
  Progress* progress_;
  std::uint64_t reported_ = 0;
};

}  // namespace warpscope::ingest::json
