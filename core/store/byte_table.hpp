#pragma once
// Numbered set of byte strings: the dictionaries of a block while it is written. The strings are concatenated in one
// buffer, as in the block.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::store {

/// 64-bit hash, the same on every machine. Reads eight bytes at a time as little-endian numbers (the last padded with
/// zeros); for each: xor, multiply by 0x9E3779B97F4A7C15, fold the upper half onto the lower.
[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

class ByteTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  /// Returns the number of `bytes`, counted from 0 in order of first appearance. O(bytes).
  std::uint32_t intern(std::string_view bytes);
  /// Returns the number of `bytes` if present, else kNone.
  [[nodiscard]] std::uint32_t find(std::string_view bytes) const;
  /// Removes everything but keeps the memory.
  void clear();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::string_view view(std::uint32_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(bytes_).substr(begin, ends_[id] - begin);
  }
  /// All strings, concatenated.
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
