#pragma once
// Where a document's text comes from: one stream from front to back, or pieces that several threads have taken in.
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/progress.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest::json {

class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Writes text from `offset` on to `into` (not empty) and returns how much; 0 at the end. Offsets go on where the
  /// last text ended, or beyond: at what take() said. Errors as ByteStream::read.
  virtual Result<std::size_t> read(std::uint64_t offset, std::span<char> into) = 0;
};

/// Events that were parsed ahead of the reader, at places it was expected to come to.
class ParsedAhead {
 public:
  struct Stretch {
    std::uint64_t end = 0;  ///< behind its last event
    bool comma = false;     ///< what stands there follows as if a comma stood before it
    std::uint64_t events = 0;
  };
  virtual ~ParsedAhead() = default;
  /// If events that begin at `offset` are there: hands them on, as reading them there would have, and tells where they
  /// end. From then on text is read from the stretch's end on, or up to kLead before.
  virtual std::optional<Stretch> take(std::uint64_t offset) = 0;
};

/// Text before the place where a reader stands that it may still show.
inline constexpr std::size_t kLead = 32;

/// A stream as a source: no text is skipped. `progress` (may be null) gains the compressed bytes as they are used.
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
