#include "core/ingest/bytes/packed_bytes.hpp"

#include <zstd.h>

#include <new>

namespace warpscope::ingest {

PackedBytes::PackedBytes(std::span<const std::byte> bytes) : size_(bytes.size()) {
  std::vector<std::byte> room(ZSTD_compressBound(bytes.size()));
  const std::size_t packed = ZSTD_compress(room.data(), room.size(), bytes.data(), bytes.size(), 1);
  if (ZSTD_isError(packed) != 0) throw std::bad_alloc();
  packed_.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(packed));
}

void PackedBytes::unpack(std::span<std::byte> into) const {
  // Can fail only for lack of memory: we wrote the data.
  const std::size_t size = ZSTD_decompress(into.data(), into.size(), packed_.data(), packed_.size());
  if (size != size_) throw std::bad_alloc();
}

}  // namespace warpscope::ingest
