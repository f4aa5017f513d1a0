#pragma once
// Compares 64 bytes in one step: the result is a 64-bit mask, bit i for byte i. Uses SSE2, which all x86-64 machines
// have; elsewhere, plain loops that compilers vectorize. All loads are unaligned; text is padded (kPadding), so they
// stay in bounds.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpscope::ingest::json {

/// Readable bytes after the end of every text passed to the scanners.
inline constexpr std::size_t kPadding = 128;

#if defined(__SSE2__)

class Block64 {
 public:
  explicit Block64(const char* text) {
    for (int i = 0; i < 4; ++i) part_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text) + i);
  }
  [[nodiscard]] std::uint64_t equal(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    return mask([wanted](__m128i part) { return _mm_cmpeq_epi8(part, wanted); });
  }
  /// Bytes that equal `c` once bit 5 is set: 'i' also matches 'I', '{' also matches '[', '}' also matches ']'.
  [[nodiscard]] std::uint64_t equal_folded(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    const __m128i bit = _mm_set1_epi8(0x20);
    return mask([wanted, bit](__m128i part) { return _mm_cmpeq_epi8(_mm_or_si128(part, bit), wanted); });
  }
  /// Bytes below 0x20 or above 0x7f, and backslashes.
  [[nodiscard]] std::uint64_t odd_inside() const {
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(0x20);
    return mask([=](__m128i part) {
      return _mm_or_si128(_mm_cmpeq_epi8(part, backslash), _mm_cmplt_epi8(part, space));  // signed
    });
  }
  /// Bytes other than quotes, brackets, white space, digits, commas and colons.
  [[nodiscard]] std::uint64_t odd_outside() const {
    const auto is = [](__m128i part, char c) { return _mm_cmpeq_epi8(part, _mm_set1_epi8(c)); };
    const std::uint64_t expected = mask([&](__m128i part) {
      const __m128i digit = _mm_sub_epi8(part, _mm_set1_epi8('0'));
      const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(':' - '0')), digit);
      const __m128i spaces =
          _mm_or_si128(_mm_or_si128(is(part, ' '), is(part, '\n')), _mm_or_si128(is(part, '\r'), is(part, '\t')));
      const __m128i signs = _mm_or_si128(is(part, ','), is(part, '"'));
      return _mm_or_si128(digits, _mm_or_si128(spaces, signs));
    });
    return ~(expected | equal_folded('{') | equal_folded('}'));
  }
  [[nodiscard]] std::uint64_t digits() const {
    return mask([](__m128i part) {
      const __m128i digit = _mm_sub_epi8(part, _mm_set1_epi8('0'));
      return _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    });
  }

 private:
  template <class Compare>
  [[nodiscard]] std::uint64_t mask(Compare compare) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i)
      bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(compare(part_[i])))) << (16 * i);
    return bits;
  }
  __m128i part_[4];
};

/// Returns a mask of the quotes, backslashes, control characters and non-ASCII bytes among 16 bytes.
[[nodiscard]] inline std::uint32_t string_stops16(const char* text) {
  const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i quote = _mm_cmpeq_epi8(part, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(part, _mm_set1_epi8('\\'));
  const __m128i odd = _mm_cmplt_epi8(part, _mm_set1_epi8(0x20));  // signed: bytes from 0x80 on are negative
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), odd)));
}

#else

class Block64 {
 public:
  explicit Block64(const char* text) { std::memcpy(bytes_, text, sizeof bytes_); }
  [[nodiscard]] std::uint64_t equal(char c) const {
    return mask([c](unsigned char byte) { return byte == static_cast<unsigned char>(c); });
  }
  [[nodiscard]] std::uint64_t equal_folded(char c) const {
    return mask([c](unsigned char byte) { return (byte | 0x20U) == static_cast<unsigned char>(c); });
  }
  [[nodiscard]] std::uint64_t odd_inside() const {
    return mask([](unsigned char byte) { return byte < 0x20U || byte > 0x7fU || byte == '\\'; });
  }
  [[nodiscard]] std::uint64_t odd_outside() const {
    return mask([](unsigned char byte) {
      return byte == '\0' || std::strchr("\"{}[] \n\r\t0123456789,:", static_cast<char>(byte)) == nullptr;
    });
  }
  [[nodiscard]] std::uint64_t digits() const {
    return mask([](unsigned char byte) { return byte >= '0' && byte <= '9'; });
  }

 private:
  template <class Compare>
  [[nodiscard]] std::uint64_t mask(Compare compare) const {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 64; ++i) bits |= static_cast<std::uint64_t>(compare(bytes_[i])) << i;
    return bits;
  }
  unsigned char bytes_[64];
};

[[nodiscard]] inline std::uint32_t string_stops16(const char* text) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 16; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool stop = byte == '"' || byte == '\\' || byte < 0x20U || byte >= 0x80U;
    bits |= static_cast<std::uint32_t>(stop) << i;
  }
  return bits;
}

#endif

/// Same as std::popcount, but never a function call: baseline x86-64 lacks the instruction.
[[nodiscard]] constexpr std::int64_t count_bits(std::uint64_t bits) {
#if defined(__SSE2__) && !defined(__POPCNT__)
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::int64_t>(bits * 0x0101010101010101U >> 56);
#else
  return std::popcount(bits);
#endif
}

/// Bit i of the result is the parity of bits 0 … i. Turns a mask of quotes into a mask of the bytes inside strings.
[[nodiscard]] constexpr std::uint64_t prefix_xor(std::uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

}  // namespace warpscope::ingest::json
