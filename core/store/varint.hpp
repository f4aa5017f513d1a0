#pragma once
// Variable-length integers: seven bits per byte, lowest first; the top bit marks that more bytes follow.
#include <cstdint>
#include <span>
#include <string>

namespace warpscope::store {

inline constexpr std::size_t kLongestVarint = 10;

inline void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

/// Zigzag: moves the sign to the lowest bit, so that small numbers of either sign are short.
[[nodiscard]] constexpr std::uint64_t fold_sign(std::uint64_t value) { return value << 1 ^ (0 - (value >> 63)); }
[[nodiscard]] constexpr std::uint64_t unfold_sign(std::uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

/// Reads numbers from untrusted bytes. After the first error, ok() is false and all further results are 0 or empty.
class VarintReader {
 public:
  explicit VarintReader(std::span<const char> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint64_t take() {
    if (at_ < end_ && static_cast<unsigned char>(*at_) < 0x80) [[likely]]
      return static_cast<unsigned char>(*at_++);
    return take_long();
  }
  /// Reads a number; fails if it is greater than `limit`.
  std::uint64_t take(std::uint64_t limit) {
    const std::uint64_t value = take();
    if (value <= limit) return value;
    fail();
    return 0;
  }
  std::span<const char> take_bytes(std::uint64_t count) {
    if (count > left()) {
      fail();
      return {};
    }
    const char* const from = at_;
    at_ += count;
    return {from, static_cast<std::size_t>(count)};
  }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void fail() {
    ok_ = false;
    at_ = end_;
  }
  std::uint64_t take_long() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ < end_ && shift < 7 * kLongestVarint; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace warpscope::store
