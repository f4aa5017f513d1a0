#pragma once
// A compressed run of bytes: zstd, the raw bytes if that saves nothing, or a single byte if all are equal. Its sizes
// are stored elsewhere and determine which of the three it is.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace warpscope::store {

class FramePacker {
 public:
  FramePacker();
  ~FramePacker();
  FramePacker(const FramePacker&) = delete;
  FramePacker& operator=(const FramePacker&) = delete;

  /// Compresses `bytes` into `packed`. `level`: zstd level.
  void pack(std::string_view bytes, int level, std::string& packed);

 private:
  ZSTD_CCtx_s* context_;
};

/// Sizes of a frame. stored == raw: raw bytes; stored == 1 < raw: one byte for all; else zstd.
struct FrameSizes {
  std::uint64_t raw = 0;
  std::uint64_t stored = 0;

  /// False if `stored` bytes cannot be unpacked to `raw` bytes.
  [[nodiscard]] bool plausible() const;
};

/// Decompressed bytes.
struct UnpackedBytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  [[nodiscard]] std::span<const char> span() const { return {data.get(), size}; }
};

/// Decompresses a frame of `stored.size()` bytes to sizes.raw bytes, which must be plausible; false if it is corrupt.
[[nodiscard]] bool unpack(std::span<const char> stored, const FrameSizes& sizes, UnpackedBytes& bytes);

}  // namespace warpscope::store
