#include "core/store/event_frame.hpp"

#include <zstd.h>

#include <cstring>
#include <new>

namespace warpscope::store {
namespace {

/// A zstd block yields at most 128 KiB and takes at least 4 bytes.
constexpr std::uint64_t kMostExpansion = std::uint64_t{32} << 10;
/// Longer runs of equal bytes are left to zstd, so that one corrupt byte cannot expand to a gigabyte.
constexpr std::uint64_t kMostRepeats = std::uint64_t{4} << 20;

}  // namespace

FramePacker::FramePacker() : context_(ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context_, ZSTD_c_contentSizeFlag, 0);
}

FramePacker::~FramePacker() { ZSTD_freeCCtx(context_); }

void FramePacker::pack(std::string_view bytes, int level, std::string& packed) {
  if (bytes.size() > 1 && bytes.size() <= kMostRepeats &&
      bytes.find_first_not_of(bytes.front()) == std::string_view::npos) {
    packed.assign(1, bytes.front());
    return;
  }
  ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
  packed.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress2(context_, packed.data(), packed.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0 || size >= bytes.size())
    packed = bytes;
  else
    packed.resize(size);
}

bool FrameSizes::plausible() const {
  if (stored >= raw) return stored == raw;
  return stored == 1 ? raw <= kMostRepeats : raw / kMostExpansion <= stored;
}

bool unpack(std::span<const char> stored, const FrameSizes& sizes, UnpackedBytes& bytes) {
  if (stored.size() != sizes.stored || !sizes.plausible()) return false;
  bytes.size = static_cast<std::size_t>(sizes.raw);
  bytes.data = std::make_unique_for_overwrite<char[]>(bytes.size);
  if (stored.size() == bytes.size) {
    if (bytes.size > 0) std::memcpy(bytes.data.get(), stored.data(), bytes.size);
    return true;
  }
  if (stored.size() == 1) {
    std::memset(bytes.data.get(), stored.front(), bytes.size);
    return true;
  }
  return ZSTD_decompress(bytes.data.get(), bytes.size, stored.data(), stored.size()) == bytes.size;
}

}  // namespace warpscope::store
