#pragma once
// Finds the end of a JSON value without parsing it. Strict: reports anything that is not valid JSON as damage; the
// repairing parser then takes over for that event only.
//
// Idea: process 64 bytes at a time. Prefix-xor over the unescaped quotes gives the bytes inside strings; popcount
// counts the brackets outside. Brackets are visited one by one only in the block where the depth may reach zero.
// O(bytes / 64). After G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28 (2019).
#include <algorithm>
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

/// Returns true for JSON keywords and for text that may be a number.
[[nodiscard]] inline bool is_plain_word(std::string_view word) {
  return word == "null" || word == "true" || word == "false" ||
         (!word.empty() && std::ranges::all_of(word, is_number_char));
}

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

struct StringScan {
  Scan status = Scan::complete;
  bool plain = true;            ///< ASCII without escapes: the bytes are the value
  const char* close = nullptr;  ///< the closing quote, if complete
};

/// Finds the end of the string whose opening quote is before `at`. Does not validate escapes or UTF-8; the decoder
/// does.
[[nodiscard]] inline StringScan scan_string(const char* at, const char* end) {
  StringScan result;
  for (;;) {
    at = string_stop(at, end);
    if (at >= end) return {Scan::need_more, result.plain, end};
    if (*at == '"') {
      result.close = at;
      return result;
    }
    if (*at == '\\') {
      result.plain = false;
      at += 2;
    } else if (static_cast<unsigned char>(*at) < 0x20U) {
      return {Scan::damaged, false, at};
    } else {
      result.plain = false;
      ++at;
    }
  }
}

struct NestedScan {
  Scan status = Scan::complete;
  const char* next = nullptr;   ///< after the closing bracket
  const char* found = nullptr;  ///< value of the last matching `"key":` at depth 1; or null
};

namespace detail {

/// Bytes escaped by a backslash, and which of them are invalid JSON escapes.
struct Escapes {
  std::uint64_t escaped = 0;
  std::uint64_t unknown = 0;
};

/// `carry`: the previous block ended in a backslash that escapes this block's first byte; updated.
inline Escapes find_escapes(const char* text, std::uint64_t backslashes, bool& carry) {
  Escapes result;
  const auto take = [&](unsigned at) {
    const std::uint64_t bit = std::uint64_t{1} << at;
    result.escaped |= bit;
    if (text[at] == '\0' || std::strchr("\"\\/bfnrtu", text[at]) == nullptr) result.unknown |= bit;
    backslashes &= ~bit;
  };
  if (carry) take(0);
  carry = false;
  while (backslashes != 0) {
    const auto at = static_cast<unsigned>(std::countr_zero(backslashes));
    backslashes &= backslashes - 1;
    if (at == 63) {
      carry = true;
      break;
    }
    take(at + 1);
  }
  return result;
}

}  // namespace detail

/// Skips the object or array at `at`. Reports as damage: control characters and unknown escapes inside strings, inf and
/// nan in any spelling outside strings, and a comma before the closing bracket. If `key` is not empty (two characters
/// or more), also returns the position of that key's value at depth 1.
template <bool kFindKey>
[[nodiscard]] inline NestedScan scan_nested(const char* at, const char* end, std::string_view key = {}) {
  NestedScan result;
  std::uint64_t string_carry = 0;  // all ones: the block starts inside a string
  bool escape_carry = false;
  std::int64_t depth = 0;
  const char* const begin = at;
  for (;; at += 64) {
    if (at >= end) return {Scan::need_more, end, nullptr};
    const Block64 block(at);
    std::uint64_t quotes = block.equal('"');
    const std::uint64_t backslashes = block.equal('\\');
    detail::Escapes escapes;
    if (backslashes != 0 || escape_carry) {
      escapes = detail::find_escapes(at, backslashes, escape_carry);
      quotes &= ~escapes.escaped;
    }
    const std::uint64_t inside = prefix_xor(quotes) ^ string_carry;  // includes opening quotes but not closing quotes
    const std::uint64_t nan = block.equal_folded('n') & Block64(at + 1).equal_folded('a');
    std::uint64_t wrong =
        escapes.unknown | (block.control() & inside) | ((block.equal_folded('i') | nan | backslashes) & ~inside);
    if (end - at < 64) wrong &= (std::uint64_t{1} << (end - at)) - 1;
    const std::uint64_t opening = block.equal_folded('{') & ~inside;
    const std::uint64_t closing = block.equal_folded('}') & ~inside;

    // Bytes of this block that belong to the value.
    std::uint64_t within = ~std::uint64_t{0};
    const char* next = nullptr;
    std::int64_t depth_after = depth;
    if (const std::int64_t closings = depth > 0 ? count_bits(closing) : 0; depth > closings) {
      depth_after += count_bits(opening) - closings;
    } else {
      for (std::uint64_t brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
        const std::uint64_t bit = brackets & (~brackets + 1);
        depth_after += (opening & bit) != 0 ? 1 : -1;
        if (depth_after == 0) {
          within = bit - 1;
          next = at + std::countr_zero(bit) + 1;
          break;
        }
      }
    }
    if constexpr (kFindKey) {
      std::uint64_t candidates =
          quotes & inside & within & Block64(at + 1).equal(key[0]) & Block64(at + 2).equal(key[1]);
      for (; candidates != 0; candidates &= candidates - 1) {
        const std::uint64_t below = (candidates & (~candidates + 1)) - 1;
        const char* const text = at + std::countr_zero(candidates) + 1;
        const char* const after = text + key.size() + 1;
        if (after >= end) break;
        if (depth + count_bits(opening & below) - count_bits(closing & below) != 1) continue;
        if (std::memcmp(text, key.data(), key.size()) != 0 || after[-1] != '"') continue;
        if (const char* const colon = skip_space(after); *colon == ':') result.found = skip_space(colon + 1);
      }
    }
    if ((wrong & within) != 0) return {Scan::damaged, at, nullptr};
    if (next != nullptr) {
      if (next > end) return {Scan::need_more, end, nullptr};
      if ((*begin == '{') != (next[-1] == '}')) return {Scan::damaged, next, nullptr};
      const char* before = next - 2;
      while (is_space(*before)) --before;
      if (*before == ',') return {Scan::damaged, before, nullptr};
      result.next = next;
      return result;
    }
    depth = depth_after;
    string_carry = (inside >> 63) != 0 ? ~std::uint64_t{0} : 0;
  }
}

struct ValueScan {
  Scan status = Scan::complete;
  const char* next = nullptr;
};

/// Skips any value. A number or word is complete only if more text follows it.
[[nodiscard]] inline ValueScan scan_value(const char* at, const char* end) {
  if (at >= end) return {Scan::need_more, end};
  if (*at == '"') {
    const StringScan string = scan_string(at + 1, end);
    return {string.status, string.status == Scan::complete ? string.close + 1 : string.close};
  }
  if (*at == '{' || *at == '[') {
    const NestedScan nested = scan_nested<false>(at, end);
    return {nested.status, nested.next};
  }
  const char* next = at;
  if (is_digit(*at) || *at == '-') {
    while (is_number_char(*next)) ++next;
  } else {
    for (const std::string_view word : {std::string_view("null"), std::string_view("true"), std::string_view("false")})
      if (std::memcmp(at, word.data(), word.size()) == 0) next = at + word.size();
  }
  if (next >= end) return {Scan::need_more, end};
  if (next == at || (next == at + 1 && *at == '-')) {
    // A word truncated by the end of the text may still become valid.
    return {end - at < 5 && *at >= 'a' && *at <= 'z' ? Scan::need_more : Scan::damaged, at};
  }
  return {Scan::complete, next};
}

}  // namespace warpscope::ingest::json
