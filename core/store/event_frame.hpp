#pragma once
// A run of bytes, made small: zstd, or the bytes themselves where that gains nothing, or one byte for all where they
// are equal. The sizes stand elsewhere and tell which of the three it is.
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

  /// Sets `packed` to `bytes` made small. `level` as zstd counts them.
  void pack(std::string_view bytes, int level, std::string& packed);

 private:
  ZSTD_CCtx_s* context_;
};

/// Sizes of a frame. stored == raw: the bytes themselves; stored == 1 < raw: one byte for all; else zstd.
struct FrameSizes {
  std::uint64_t raw = 0;
  std::uint64_t stored = 0;

  /// False if no `stored` bytes can be unpacked to `raw`.
  [[nodiscard]] bool plausible() const;
};

/// Unpacked bytes.
struct UnpackedBytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  [[nodiscard]] std::span<const char> span() const { return {data.get(), size}; }
};

/// Unpacks a frame of `stored.size()` bytes to plausible sizes.raw; false if it is damaged.
[[nodiscard]] bool unpack(std::span<const char> stored, const FrameSizes& sizes, UnpackedBytes& bytes);

}  // namespace warpscope::store
