#include "core/ingest/kineto/text_window.hpp"

#include <algorithm>
#include <cstring>

#include "core/ingest/kineto/simd_block.hpp"

namespace warpscope::ingest::kineto {

TextWindow::TextWindow(ByteStream& stream, std::size_t block, std::size_t limit)
    : stream_(stream), block_(block), limit_(limit) {
  make_room(0, 0);
}

/// Leaves [at, at + kept) at the front of a buffer with room for a block behind. Doubles, so a text that keeps growing
/// is copied a constant number of times per byte.
void TextWindow::make_room(std::size_t kept, std::size_t at) {
  if (buffer_ && capacity_ - kept >= block_) {
    std::memmove(buffer_.get(), buffer_.get() + at, kept);
  } else {
    const std::size_t capacity = std::max(2 * capacity_, kept + 2 * block_);
    auto bigger = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
    if (kept > 0) std::memcpy(bigger.get(), buffer_.get() + at, kept);
    buffer_ = std::move(bigger);
    capacity_ = capacity;
  }
  filled_ = kept;
  base_ += at;
  std::memset(buffer_.get() + filled_, 0, kPadding);
}

TextWindow::Growth TextWindow::grow(const char*& keep) {
  const auto at = static_cast<std::size_t>(keep - buffer_.get());
  const std::size_t kept = filled_ - at;
  if (final_) return Growth::ended;
  if (kept >= limit_) return Growth::too_long;
  make_room(kept, at);
  keep = buffer_.get();
  const auto got = stream_.read({buffer_.get() + filled_, block_});
  if (!got.ok()) failure_ = got.error();
  if (!got.ok() || *got == 0) {
    final_ = true;
    return Growth::ended;
  }
  filled_ += *got;
  std::memset(buffer_.get() + filled_, 0, kPadding);
  return Growth::more;
}

}  // namespace warpscope::ingest::kineto
