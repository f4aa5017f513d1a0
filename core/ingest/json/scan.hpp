#pragma once
// Finds the end of a JSON value without parsing it. Exactly as strict as JSON: reports anything else as damage; the
// repairing parser then takes over for that event only. Accepts lone surrogates, which the decoder replaces.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/ingest/json/simd_block.hpp"

namespace warpscope::ingest::json {

enum class Scan : std::uint8_t {
  complete,
  need_more,  ///< the text ends too early
  damaged,
};

[[nodiscard]] inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
[[nodiscard]] inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
[[nodiscard]] inline bool is_number_char(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Returns true for the JSON keywords and numbers.
[[nodiscard]] bool is_scalar(std::string_view word);

/// Skips white space. Stops at the end of the text, because padding is never white space.
[[nodiscard]] inline const char* skip_space(const char* at) {
  if (*at == ' ') ++at;
  while (is_space(*at)) ++at;
  return at;
}

/// Returns the first quote, backslash, control character or non-ASCII byte at or after `at`. The result may lie in the
/// padding.
[[nodiscard]] inline const char* string_stop(const char* at, const char* end) {
  for (; at < end; at += 16)
    if (const std::uint32_t stops = string_stops16(at); stops != 0) return at + std::countr_zero(stops);
  return end;
}

struct ValueScan {
  Scan status = Scan::complete;
  const char* next = nullptr;
};

struct StringScan {
  Scan status = Scan::complete;
  bool plain = true;            ///< ASCII without escapes: the bytes are the value
  const char* close = nullptr;  ///< the closing quote, if complete
};

/// Finds the end of the string whose opening quote is before `at`.
[[nodiscard]] StringScan scan_string(const char* at, const char* end);

struct NestedScan {
  Scan status = Scan::complete;
  const char* next = nullptr;   ///< after the closing bracket
  const char* found = nullptr;  ///< value of the last matching `"key":` at depth 1; or null
};

/// Skips the object or array at `at`. If `key` is not empty, also returns the position of that key's value at depth 1;
/// its escapes are not decoded.
[[nodiscard]] NestedScan scan_nested(const char* at, const char* end, std::string_view key = {});

/// Skips the object at `at` without checking the order of its tokens: at least as lenient as the skeletons, see
/// skip_object in object_kernel.hpp. Does not return the key's value if there are several. `any_text`: also accepts
/// other printable text between the tokens.
[[nodiscard]] NestedScan skip_disordered_object(const char* at, const char* end, std::string_view key, bool any_text);

/// Returns the position after the number at `at`; null if it is invalid or not followed by other text.
[[nodiscard]] const char* scan_number(const char* at, const char* end);

/// Skips any value. A number or word is complete only if more text follows it.
[[nodiscard]] ValueScan scan_value(const char* at, const char* end);

}  // namespace warpscope::ingest::json
