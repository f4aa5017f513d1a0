#pragma once
// Rarely used memory, kept compressed (zstd's fastest regular level).
#include <cstddef>
#include <span>
#include <vector>

namespace warpscope::ingest {

class PackedBytes {
 public:
  PackedBytes() = default;
  explicit PackedBytes(std::span<const std::byte> bytes);

  /// Returns the number of bytes before packing.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t resident_bytes() const { return packed_.capacity(); }
  /// `into` has size() bytes. Throws std::bad_alloc.
  void unpack(std::span<std::byte> into) const;

 private:
  std::size_t size_ = 0;
  std::vector<std::byte> packed_;
};

}  // namespace warpscope::ingest
