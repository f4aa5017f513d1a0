#pragma once
// Serializes numbers and texts: LEB128 for counts, zigzag for signed numbers, a length before each text. The reader
// never runs past the end: from there on, it returns 0 and empty texts, and ok() is false.
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/format.hpp"

namespace warpscope::store {

class StreamWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) { number(zigzag(value)); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void ref(const SectionRef& ref) {
    number(ref.offset);
    number(ref.stored);
    number(ref.content);
  }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class StreamReader {
 public:
  explicit StreamReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// Marks the input as invalid; all further reads return 0 and empty texts.
  void fail() {
    ok_ = false;
    bytes_ = {};
  }

  std::uint8_t byte() {
    if (bytes_.empty()) {
      fail();
      return 0;
    }
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if ((next & 0x80) == 0) return value;
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() { return unzigzag(number()); }
  /// Reads a number; fails if it is greater than `most`.
  std::uint64_t number_to(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value <= most) return value;
    fail();
    return 0;
  }
  std::uint32_t index_to(std::uint32_t most) { return static_cast<std::uint32_t>(number_to(most)); }
  bool flag() { return number_to(1) != 0; }
  /// Reads the number of elements that follow, each of at least one byte.
  std::size_t count() { return static_cast<std::size_t>(number_to(left())); }
  /// Valid as long as the bytes.
  std::string_view text() {
    const std::size_t size = count();
    if (size > left()) fail();
    if (!ok_) return {};
    const std::string_view value(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }
  std::string string() { return std::string(text()); }
  SectionRef ref() {
    SectionRef ref;
    ref.offset = number();
    ref.stored = number();
    ref.content = number();
    return ref;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool ok_ = true;
};

}  // namespace warpscope::store
