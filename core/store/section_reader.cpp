#include "core/store/section_reader.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace warpscope::store {

namespace {

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

/// Creating a decoder costs more than decompressing a short section, so each thread keeps one.
ZSTD_DCtx* decoder_of_thread() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder(ZSTD_createDCtx());
  if (!decoder) throw std::bad_alloc();
  return decoder.get();
}

}  // namespace

bool SectionReader::fail(const std::string& why) {
  if (why_.empty()) why_ = why;
  rest_ = {};
  return false;
}

Error SectionReader::why(std::string_view section) const {
  if (unreachable_) return *unreachable_;
  const std::string of = section.empty() ? "" : " (section: " + std::string(section) + ")";
  return {bytes_.name(), "the store is corrupt at byte " + std::to_string(at_) + of + ": " + why_,
          "read the traces instead, or copy the file again"};
}

bool SectionReader::expect(const SectionRef& ref, std::uint64_t count) {
  return ref.content >= count ? ok() : fail("a section is too short for its content");
}

bool SectionReader::read_stored(const char* otherwise) {
  if (bytes_.read(section_, stored_)) return true;
  unreachable_ = bytes_.unreachable();
  return fail(otherwise);
}

bool SectionReader::open(const SectionRef& ref, std::uint64_t most_ratio) {
  if (!ok()) return false;
  content_left_ = 0;
  const std::uint64_t room = limit_ - base_;
  if (ref.offset > room || ref.stored > room - ref.offset) return fail("a section is outside the file");
  if (ref.content / most_ratio > ref.stored)
    return fail("a section's uncompressed size is too large for its stored size");
  at_ = section_ = base_ + ref.offset;
  stored_.resize(ref.stored);
  if (!read_stored("a section cannot be read")) return false;
  rest_ = stored_;
  content_left_ = ref.content;
  drop_skippable_frames();
  return ends_as_said();
}

bool SectionReader::ends_as_said() {
  if (rest_.empty() && ok() && content_left_ != 0) fail("a section ends early");
  return ok();
}

void SectionReader::drop_skippable_frames() {
  while (rest_.size() >= 8 && (rest_[0] & 0xF0) == 0x50 && rest_[1] == 0x2A && rest_[2] == 0x4D && rest_[3] == 0x18) {
    const std::size_t size = ZSTD_findFrameCompressedSize(rest_.data(), rest_.size());
    if (ZSTD_isError(size) == 0)
      rest_ = rest_.subspan(size);
    else
      fail("a frame is corrupt");
  }
}

std::span<const std::uint8_t> SectionReader::frame() {
  if (rest_.empty()) fail("a section ends early");
  if (!ok()) return {};
  const std::span<const std::uint8_t> content = unpack(content_left_);
  content_left_ -= content.size();
  ends_as_said();
  return content;
}

std::span<const std::uint8_t> SectionReader::unpack(std::uint64_t most) {
  at_ = section_ + (stored_.size() - rest_.size());
  // Error codes of zstd are greater than any size.
  const unsigned long long size = ZSTD_getFrameContentSize(rest_.data(), rest_.size());
  const std::size_t stored = ZSTD_findFrameCompressedSize(rest_.data(), rest_.size());
  const bool has_checksum = rest_.size() > 4 && (rest_[4] & 4) != 0;
  if (size <= std::min(most, kMostFrame) && ZSTD_isError(stored) == 0 && (has_checksum || !checked_)) {
    if (content_.size() < size) content_.resize(static_cast<std::size_t>(size));
    if (ZSTD_decompressDCtx(decoder_of_thread(), content_.data(), content_.size(), rest_.data(), stored) == size) {
      rest_ = rest_.subspan(stored);
      drop_skippable_frames();
      return std::span<const std::uint8_t>(content_).first(static_cast<std::size_t>(size));
    }
  }
  fail("a frame is corrupt");
  return {};
}

std::vector<std::uint8_t> SectionReader::checked_copy() {
  at_ = section_ = base_;
  stored_.resize(limit_ - base_);
  if (read_stored("a rank cannot be read")) rest_ = stored_;
  drop_skippable_frames();
  while (more()) static_cast<void>(unpack(kMostFrame));
  return ok() ? std::move(stored_) : std::vector<std::uint8_t>();
}

std::vector<std::uint8_t> SectionReader::whole(const SectionRef& ref, std::uint64_t most_ratio) {
  return open(ref, most_ratio) ? rest() : std::vector<std::uint8_t>();
}

std::vector<std::uint8_t> SectionReader::rest() {
  std::vector<std::uint8_t> all;
  all.reserve(content_left_);
  while (more()) {
    const std::span<const std::uint8_t> next = frame();
    all.insert(all.end(), next.begin(), next.end());
  }
  return all;
}

}  // namespace warpscope::store
