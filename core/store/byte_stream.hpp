#pragma once
// Serializes numbers and strings. Numbers are LEB128-encoded (signed numbers are zigzag-encoded first), and strings are
// prefixed with their length. The reader never reads past the end: it returns 0 and empty strings instead, and ok()
// becomes false.
//
// fields() and each() have the same signatures in both classes, so a single template both writes and reads a structure.
// A field's type determines its encoding: bytes, enums and flags are one byte; other integers are numbers or signed
// numbers; doubles are 8 bytes; strings and refs have their own encodings; containers are prefixed with their number of
// elements.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/store/format.hpp"

namespace warpscope::store {

template <class Field>
inline constexpr bool kIsByte = sizeof(Field) == 1 && (std::is_enum_v<Field> || std::is_integral_v<Field>);

class StreamWriter {
 public:
  static constexpr bool kReads = false;

  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) { number(zigzag(value)); }
  void real(double value) { append_little_endian(bytes_, std::bit_cast<std::uint64_t>(value), sizeof(double)); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void ref(const SectionRef& ref) { fields(ref.offset, ref.stored, ref.content); }

  template <class... Fields>
  void fields(const Fields&... values) {
    (field(values), ...);
  }
  template <class Items, class Write>
  void each(const Items& items, const Write& write) {
    number(items.size());
    for (const auto& item : items) write(item);
  }
  /// Writes 1 if there is a value, otherwise 0.
  template <class T>
  [[nodiscard]] bool has(const std::optional<T>& value) {
    byte(value ? 1 : 0);
    return value.has_value();
  }
  /// No-op; only readers check.
  void check(bool /*holds*/) {}

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  template <class Field>
  void field(const Field& value) {
    if constexpr (kIsByte<Field>)
      byte(static_cast<std::uint8_t>(value));
    else if constexpr (std::is_floating_point_v<Field>)
      real(value);
    else if constexpr (std::is_unsigned_v<Field>)
      number(value);
    else if constexpr (std::is_signed_v<Field>)
      signed_number(value);
    else if constexpr (std::is_same_v<Field, std::string>)
      text(value);
    else if constexpr (std::is_same_v<Field, SectionRef>)
      ref(value);
    else if constexpr (requires { value.first; })
      fields(value.first, value.second);
    else
      each(value, [this](const auto& item) { field(item); });
  }

  std::vector<std::uint8_t> bytes_;
};

class StreamReader {
 public:
  static constexpr bool kReads = true;

  explicit StreamReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// Marks the input as invalid; all subsequent reads return 0 and empty strings.
  void fail() {
    ok_ = false;
    bytes_ = {};
  }
  void check(bool holds) {
    if (!holds) fail();
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
    constexpr std::size_t kMostBytes = 10;
    const std::size_t most = std::min(bytes_.size(), kMostBytes);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < most; ++i) {
      const std::uint8_t next = bytes_[i];
      value |= static_cast<std::uint64_t>(next & 0x7F) << (7 * i);
      if (next >= 0x80) continue;
      bytes_ = bytes_.subspan(i + 1);
      return value;
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() { return unzigzag(number()); }
  double real() {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < sizeof(double); ++i) bits |= std::uint64_t{byte()} << 8 * i;
    return std::bit_cast<double>(bits);
  }
  /// Reads a number; fails if it is greater than `most`.
  std::uint64_t number_to(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value <= most) return value;
    fail();
    return 0;
  }
  bool flag() { return number_to(1) != 0; }
  /// Reads an element count. Each element must take up at least one byte.
  std::size_t count() { return static_cast<std::size_t>(number_to(left())); }
  /// Reads a string; the view is valid as long as the underlying bytes are.
  std::string_view text() {
    const std::size_t size = count();
    if (size > left()) fail();
    if (!ok_) return {};
    const std::string_view value(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }
  SectionRef ref() {
    SectionRef ref;
    fields(ref.offset, ref.stored, ref.content);
    return ref;
  }

  template <class... Fields>
  void fields(Fields&... values) {
    (field(values), ...);
  }
  /// Reads elements and appends them to `items`, or inserts them if it is a map.
  template <class Items, class Read>
  void each(Items& items, const Read& read) {
    for (std::size_t left = count(); left > 0 && ok_; --left) {
      if constexpr (requires { typename Items::mapped_type; }) {
        std::pair<typename Items::key_type, typename Items::mapped_type> item;
        read(item);
        items.insert_or_assign(std::move(item.first), std::move(item.second));
      } else {
        read(items.emplace_back());
      }
    }
  }
  template <class T>
  [[nodiscard]] bool has(std::optional<T>& value) {
    if (flag()) value.emplace();
    return value.has_value();
  }

 private:
  template <class Field>
  void field(Field& value) {
    if constexpr (std::is_same_v<Field, bool>) {
      value = flag();
    } else if constexpr (kIsByte<Field>) {
      value = static_cast<Field>(byte());
    } else if constexpr (std::is_floating_point_v<Field>) {
      value = real();
    } else if constexpr (std::is_unsigned_v<Field>) {
      value = static_cast<Field>(number_to(std::numeric_limits<Field>::max()));
    } else if constexpr (std::is_signed_v<Field>) {
      const std::int64_t number = signed_number();
      check(std::in_range<Field>(number));
      value = static_cast<Field>(number);
    } else if constexpr (std::is_same_v<Field, std::string>) {
      value = text();
    } else if constexpr (std::is_same_v<Field, std::vector<std::uint8_t>>) {
      const std::string_view bytes = text();
      value.assign(bytes.begin(), bytes.end());
    } else if constexpr (std::is_same_v<Field, SectionRef>) {
      value = ref();
    } else if constexpr (requires { value.first; }) {
      fields(value.first, value.second);
    } else {
      each(value, [this](auto& item) { field(item); });
    }
  }

  std::span<const std::uint8_t> bytes_;
  bool ok_ = true;
};

}  // namespace warpscope::store
