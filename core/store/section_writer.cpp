#include "core/store/section_writer.hpp"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace warpscope::store {

void SectionWriter::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

SectionWriter::SectionWriter(Packing packing) : packing_(packing), context_(ZSTD_createCCtx()) {
  if (!context_) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, packing.level);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

SectionWriter::~SectionWriter() = default;

void SectionWriter::frame(std::span<const std::uint8_t> content) {
  content_ += content.size();
  if (packing_.plain) {
    plain_frame(content);
    return;
  }
  const std::size_t at = bytes_.size();
  bytes_.resize(at + ZSTD_compressBound(content.size()));
  const std::size_t size =
      ZSTD_compress2(context_.get(), bytes_.data() + at, bytes_.size() - at, content.data(), content.size());
  // The buffer has room for the worst case, so this fails only if memory runs out.
  if (ZSTD_isError(size)) throw std::bad_alloc();
  bytes_.resize(at + size);
}

void SectionWriter::stream(std::span<const std::uint8_t> content) {
  do {
    const std::size_t size = std::min<std::size_t>(content.size(), kMostFrame);
    frame(content.first(size));
    content = content.subspan(size);
  } while (!content.empty());
}

// RFC 8878: a single-segment frame of raw blocks with a 4-byte content size.
void SectionWriter::plain_frame(std::span<const std::uint8_t> content) {
  constexpr std::size_t kMostBlock = 128 << 10;
  append_little_endian(bytes_, 0xFD2FB528u, 4);
  bytes_.push_back(0xA0);
  append_little_endian(bytes_, content.size(), 4);
  do {
    const std::size_t size = std::min(content.size(), kMostBlock);
    append_little_endian(bytes_, size << 3 | (size == content.size() ? 1u : 0u), 3);
    bytes_.insert(bytes_.end(), content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size));
    content = content.subspan(size);
  } while (!content.empty());
}

void SectionWriter::skippable_frame(std::uint64_t size) {
  append_little_endian(bytes_, 0x184D2A50u, 4);
  append_little_endian(bytes_, size, 4);
  bytes_.resize(bytes_.size() + size);
}

SectionRef SectionWriter::end_section(std::uint64_t most_ratio) {
  const std::uint64_t stored = bytes_.size() - begin_;
  const std::uint64_t least = (content_ + most_ratio - 1) / most_ratio;
  if (stored < least) skippable_frame(least - std::min(least, stored + 8));
  const SectionRef ref{begin_, bytes_.size() - begin_, content_};
  begin_ = bytes_.size();
  content_ = 0;
  return ref;
}

}  // namespace warpscope::store
