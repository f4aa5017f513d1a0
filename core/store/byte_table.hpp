#pragma once
// Byte strings, each kept once and known by a number: the dictionaries of a block while it is written. The strings
// stand one after the other in one buffer, as they will in the block.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::store {

/// 64 bits of the bytes, the same on every machine: eight bytes at a time as little-endian numbers (the last ones
/// filled up with zeros), each xor-ed in, multiplied by 0x9E3779B97F4A7C15, the upper half folded onto the lower.
[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

class ByteTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  /// Number of `bytes`, dense from 0 in the order of first appearance. O(bytes).
  std::uint32_t intern(std::string_view bytes);
  /// Number of `bytes` if they are there, else kNone.
  [[nodiscard]] std::uint32_t find(std::string_view bytes) const;
  /// Forgets everything and keeps the memory.
  void clear();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::string_view view(std::uint32_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(bytes_).substr(begin, ends_[id] - begin);
  }
  /// All strings one after the other.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kNone;
  };

  void grow();

  std::vector<Slot> slots_;  // open addressing, a power of two
  std::vector<std::size_t> ends_;
  std::string bytes_;
};

}  // namespace warpscope::store
