#pragma once
// Store format constants and the structures shared by the writer and the reader. README.md in this directory describes
// the file byte by byte.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpscope::store {

inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'W', 'S', 'C', 'O', 'P', 'E', '\n'};
inline constexpr std::string_view kEndMagic = "WSCOPEND";
inline constexpr std::uint32_t kVersion = 10;
inline constexpr std::uint64_t kHeaderBytes = 32;
inline constexpr std::uint64_t kTrailerBytes = 40;
/// Position of the file size in the header; the size is 0 in files from earlier versions.
inline constexpr std::size_t kSizeInHeader = 16;

/// Maximum number of values per column in a frame.
inline constexpr std::uint32_t kChunk = 65536;
/// Maximum content of one frame: one chunk from each of two 8-byte columns, including the width bytes, or part of a
/// stream.
inline constexpr std::uint64_t kMostFrame = 16 * std::uint64_t{kChunk} + 2;
/// Maximum compression ratio of a section: content bytes per stored byte. The writer pads sections that compress
/// better, so the file's size limits the memory needed to read it.
inline constexpr std::uint64_t kMostRatio = 128;
/// Same for streams, in which one byte may expand to many bytes in memory.
inline constexpr std::uint64_t kMostStreamRatio = 24;
/// Maximum number of rows per rank (lanes, unions of folded lanes, devices).
inline constexpr std::uint32_t kMostRows = 1u << 18;

/// A range of bytes in the file, consisting of complete zstd frames with `content` bytes in total. Offsets in a rank's
/// own sections are relative to its body. If all fields are 0, the section does not exist.
struct SectionRef {
  std::uint64_t offset = 0;
  std::uint64_t stored = 0;
  std::uint64_t content = 0;

  [[nodiscard]] bool none() const { return stored == 0; }
};

/// A block of event text.
struct ArchiveBlock {
  SectionRef section;              ///< offset from byte 0 of the file
  std::uint64_t first_offset = 0;  ///< of its first event in the source
  bool apart = false;              ///< its events are often read, most others seldom
};

/// 64-bit FNV-1a: slow, but good enough for a few kilobytes and easy to implement in any language.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::span<const std::uint8_t> bytes,
                                            std::uint64_t hash = 0xCBF29CE484222325u) {
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

/// Appends the low `size` bytes of a number in little-endian order.
inline void append_little_endian(std::vector<std::uint8_t>& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}
/// Returns a - b modulo 2^64, which cannot overflow.
[[nodiscard]] constexpr std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
/// Returns a + b modulo 2^64, which cannot overflow.
[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace warpscope::store
