#include "core/ingest/json/text_window.hpp"

#include <algorithm>
#include <cstring>

#include "core/ingest/json/simd_block.hpp"

namespace warpscope::ingest::json {

namespace {

constexpr std::size_t kBlockAfterJump = std::size_t{4} << 10;

}  // namespace

TextWindow::TextWindow(TextSource& source, std::size_t block, std::size_t limit)
    : source_(source), block_(block), limit_(limit), next_block_(block) {
  make_room(0, 0, block_);
}

/// Moves [at, at + kept) to the front of a buffer with room for `more` after it. Doubles the size, so each byte of a
/// growing text is copied an amortized constant number of times.
void TextWindow::make_room(std::size_t kept, std::size_t at, std::size_t more) {
  if (buffer_ && capacity_ - kept >= more) {
    std::memmove(buffer_.get(), buffer_.get() + at, kept);
  } else {
    const std::size_t capacity = std::max(2 * capacity_, kept + 2 * more + kLead);
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
  if (final_) return Growth::ended;
  if (filled_ - at >= limit_) return Growth::too_long;
  const std::size_t lead = std::min(at, kLead);
  // The kept text is scanned again from its start. The longer it is, the more is read, so each byte is scanned an
  // amortized constant number of times.
  const std::size_t more = std::max(block_, (filled_ - at) / 2);
  make_room(filled_ - at + lead, at - lead, more);
  keep = buffer_.get() + lead;
  const std::size_t wanted = filled_ + more;
  if (!take_in()) return Growth::ended;
  while (more > block_ && filled_ + block_ <= wanted && take_in()) {
  }
  return Growth::more;
}

bool TextWindow::take_in() {
  const auto got = source_.read(base_ + filled_, {buffer_.get() + filled_, next_block_});
  next_block_ = std::min(block_, 8 * next_block_);
  if (!got.ok()) failure_ = got.error();
  if (!got.ok() || *got == 0) {
    final_ = true;
    return false;
  }
  filled_ += *got;
  std::memset(buffer_.get() + filled_, 0, kPadding);
  return true;
}

const char* TextWindow::jump(std::uint64_t offset) {
  const std::size_t lead = static_cast<std::size_t>(std::min<std::uint64_t>(offset, kLead));
  base_ = offset - lead;
  filled_ = 0;
  final_ = false;
  failure_.reset();
  next_block_ = std::min(block_, kBlockAfterJump);
  // The lead precedes the target of the jump, so it exists.
  while (filled_ < lead && take_in()) {
  }
  return buffer_.get() + std::min(filled_, lead);
}

}  // namespace warpscope::ingest::json
