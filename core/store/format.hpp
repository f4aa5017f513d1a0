#pragma once
// The numbers of the store's format, and the few structures that its writer and its reader share. README.md beside this
// file says what stands where in the file, byte by byte.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warpscope::store {

inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'W', 'S', 'C', 'O', 'P', 'E', '\n'};
inline constexpr std::string_view kEndMagic = "WSCOPEND";
inline constexpr std::uint32_t kVersion = 5;
inline constexpr std::uint64_t kHeaderBytes = 32;
inline constexpr std::uint64_t kTrailerBytes = 40;
/// Where the header says how long the whole file is; 0 in files of earlier programs.
inline constexpr std::size_t kSizeInHeader = 16;

/// Values of one column in one frame, at most.
inline constexpr std::uint32_t kChunk = 65536;
/// Content of one frame, at most: two columns of 8 bytes and their widths, or a piece of a stream.
inline constexpr std::uint64_t kMostFrame = 16 * std::uint64_t{kChunk} + 2;
/// Content of a section per byte in the file, at most. The writer pads what compresses better: so the memory that a
/// file can ask for is bounded by its size.
inline constexpr std::uint64_t kMostRatio = 128;
/// The same of sections that are streams: what is made of a byte of them may take many bytes.
inline constexpr std::uint64_t kMostStreamRatio = 24;
/// Rows of a rank (lanes, unions of folded ones, devices), at most.
inline constexpr std::uint32_t kMostRows = 1u << 18;

/// A run of bytes of the file that is read as one: zstd frames whose contents together are `content` bytes.
/// Offsets of a rank's own sections are relative to its body. All 0: there is none.
struct SectionRef {
  std::uint64_t offset = 0;
  std::uint64_t stored = 0;
  std::uint64_t content = 0;

  [[nodiscard]] bool none() const { return stored == 0; }
};

/// Where a run of bytes stands that the store keeps as they are given, and does not look into.
struct BytesRef {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// FNV-1a of 64 bits: slow and good enough for a few kilobytes, and a reader in any language has it in three lines.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::span<const std::uint8_t> bytes,
                                            std::uint64_t hash = 0xCBF29CE484222325u) {
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}
/// a - b and a + b modulo 2^64, for steps between values of any size.
[[nodiscard]] constexpr std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace warpscope::store
