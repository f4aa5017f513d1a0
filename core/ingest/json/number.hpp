#pragma once
// Parses a trace's numbers from their decimal text. Doubles would round present-day timestamps to 256 ns and alter ids
// above 2^53.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest::json {

enum class NumberStatus : std::uint8_t { ok, not_a_number, out_of_range };

struct Number {
  NumberStatus status = NumberStatus::not_a_number;
  std::int64_t value = 0;
};

/// Converts decimal microseconds ("1712195495519689.047", "-3", "1.7e15") to ns. Exact; digits beyond the nanosecond
/// are rounded to nearest, halves away from zero. Surrounding spaces are allowed.
[[nodiscard]] Number parse_microseconds(std::string_view text);
/// Same for decimal seconds ("1783653720.001699").
[[nodiscard]] Number parse_seconds(std::string_view text);

/// Parses an integer; "12.0" and "1e3" are accepted.
[[nodiscard]] Number parse_integer(std::string_view text);

namespace detail {

/// Appends the digits at `at` to `value`, eight at a time if possible; wraps beyond 19 digits. Uses D. Lemire's method
/// for eight bytes at once.
inline const char* append_digits(const char* at, std::uint64_t& value) {
  if constexpr (std::endian::native == std::endian::little) {
    for (;;) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, sizeof eight);
      const std::uint64_t above = eight + 0x0606060606060606U;
      if (((eight & 0xf0f0f0f0f0f0f0f0U) | ((above & 0xf0f0f0f0f0f0f0f0U) >> 4)) != 0x3333333333333333U) break;
      eight -= 0x3030303030303030U;
      eight = eight * 10 + (eight >> 8);
      eight = ((eight & 0x000000ff000000ffU) * 0x000f424000000064U +
               (eight >> 16 & 0x000000ff000000ffU) * 0x0000271000000001U) >>
              32;
      value = value * 100'000'000 + eight;
      at += 8;
    }
  }
  for (; static_cast<unsigned char>(*at - '0') < 10; ++at) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

}  // namespace detail

/// Fast version of parse_microseconds for the common form [-]digits[.up to 3 digits]. Sets `value` and returns the end
/// of the number, or returns null for any other form. Requires 16 readable bytes after the number.
[[nodiscard]] inline const char* parse_plain_microseconds(const char* at, Ns& value) {
  const bool negative = *at == '-';
  const char* const whole = at + (negative ? 1 : 0);
  std::uint64_t number = 0;
  at = detail::append_digits(whole, number);
  if (at == whole || (*whole == '0' && at - whole > 1) || at - whole > 16 || number > 9'000'000'000'000'000U)
    return nullptr;
  number *= 1000;
  if (*at == '.') {
    if (static_cast<unsigned char>(*++at - '0') >= 10) return nullptr;
    for (std::uint64_t unit = 100; unit != 0 && static_cast<unsigned char>(*at - '0') < 10; unit /= 10)
      number += unit * static_cast<std::uint64_t>(*at++ - '0');
  }
  if (static_cast<unsigned char>(*at - '0') < 10 || *at == 'e' || *at == 'E' || *at == '.') return nullptr;
  value = negative ? -static_cast<Ns>(number) : static_cast<Ns>(number);
  return at;
}

}  // namespace warpscope::ingest::json
