#pragma once
// The part of a document that is in memory: it slides along the stream, and grows only while one thing in it is longer
// than it. Padded, so that scanners may read past its end.
#include <cstdint>
#include <memory>
#include <optional>

#include "core/ingest/byte_stream.hpp"

namespace warpscope::ingest::kineto {

class TextWindow {
 public:
  enum class Growth : std::uint8_t {
    more,      ///< there is more text now
    ended,     ///< the stream is at its end, or failed: see failure()
    too_long,  ///< the text to be kept is as long as is allowed
  };

  /// Reads `block` bytes at a time and keeps at most about `limit`. `stream` must outlive the window.
  TextWindow(ByteStream& stream, std::size_t block, std::size_t limit);

  [[nodiscard]] const char* begin() const { return buffer_.get(); }
  [[nodiscard]] const char* end() const { return buffer_.get() + filled_; }
  /// No text follows end().
  [[nodiscard]] bool final() const { return final_; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Position in the decompressed text.
  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return base_ + static_cast<std::uint64_t>(at - buffer_.get());
  }

  /// Takes in the next block; what lies before `keep` is dropped, `keep` is moved along. Invalidates all other
  /// pointers.
  Growth grow(const char*& keep);

 private:
  void make_room(std::size_t kept, std::size_t at);

  ByteStream& stream_;
  std::size_t block_;
  std::size_t limit_;
  std::size_t capacity_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t base_ = 0;  ///< position of begin()
  bool final_ = false;
  std::optional<Error> failure_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace warpscope::ingest::kineto
