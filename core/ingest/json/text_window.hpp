#pragma once
// The part of a document held in memory. Slides along the text and grows only if a single item is longer than the
// window. Padded, so scanners may read past the end. Keeps a few bytes before the current position for display.
#include <cstdint>
#include <memory>
#include <optional>

#include "core/ingest/json/text_source.hpp"

namespace warpscope::ingest::json {

class TextWindow {
 public:
  enum class Growth : std::uint8_t {
    more,      ///< more text was added
    ended,     ///< the stream ended or failed: see failure()
    too_long,  ///< the text to keep has reached the size limit
  };

  /// Reads `block` bytes at a time, or more if a lot of text must be kept; keeps at most about `limit` bytes. `source`
  /// must outlive the window.
  TextWindow(TextSource& source, std::size_t block, std::size_t limit);

  [[nodiscard]] const char* begin() const { return buffer_.get(); }
  [[nodiscard]] const char* end() const { return buffer_.get() + filled_; }
  /// Returns true if no text follows end().
  [[nodiscard]] bool final() const { return final_; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Returns the position in the decompressed text.
  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return base_ + static_cast<std::uint64_t>(at - buffer_.get());
  }

  /// Reads the next block and drops the text before `keep` except kLead bytes. Updates `keep`; invalidates all other
  /// pointers.
  Growth grow(const char*& keep);
  /// Drops everything and continues at `offset`, which may be anywhere after the dropped text. Returns the new
  /// position.
  const char* jump(std::uint64_t offset);

 private:
  void make_room(std::size_t kept, std::size_t at, std::size_t more);
  bool take_in();

  TextSource& source_;
  std::size_t block_;
  std::size_t limit_;
  std::size_t capacity_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t base_ = 0;  ///< position of begin()
  std::size_t next_block_;  ///< size of the next read: small after a jump, because another jump usually follows
  bool final_ = false;
  std::optional<Error> failure_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace warpscope::ingest::json
