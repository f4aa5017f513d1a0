#pragma once
// The part of a document that is in memory: it slides along the text, and grows only while one thing in it is longer
// than it. Padded, so that scanners may read past its end. A little of what was passed stays before it, to be shown.
#include <cstdint>
#include <memory>
#include <optional>

#include "core/ingest/json/text_source.hpp"

namespace warpscope::ingest::json {

class TextWindow {
 public:
  enum class Growth : std::uint8_t {
    more,      ///< there is more text now
    ended,     ///< the stream is at its end, or failed: see failure()
    too_long,  ///< the text to be kept is as long as is allowed
  };

  /// Reads `block` bytes at a time, more while much has to be kept, and keeps at most about `limit`. `source` must
  /// outlive the window.
  TextWindow(TextSource& source, std::size_t block, std::size_t limit);

  [[nodiscard]] const char* begin() const { return buffer_.get(); }
  [[nodiscard]] const char* end() const { return buffer_.get() + filled_; }
  /// No text follows end().
  [[nodiscard]] bool final() const { return final_; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Position in the decompressed text.
  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return base_ + static_cast<std::uint64_t>(at - buffer_.get());
  }

  /// Takes in the next block; what lies before `keep` is dropped but for kLead bytes, `keep` is moved along.
  /// Invalidates all other pointers.
  Growth grow(const char*& keep);
  /// Drops everything and goes on at `offset`, anywhere behind what was dropped: returns where that is.
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
  std::size_t next_block_;  ///< what is taken in next: little behind a jump, for mostly the next jump follows
  bool final_ = false;
  std::optional<Error> failure_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace warpscope::ingest::json
