// Matches skeletons with AVX2, BMI2 and carry-less multiplication. Most but not all x86-64 machines of the last ten
// years support these, so this code is selected at run time.
#include "core/ingest/formats/trace_events/skeleton.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/scan.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#define WARPSCOPE_KERNEL [[gnu::always_inline]] static inline

namespace warpscope::ingest::json::avx2 {
namespace {

/// For eight brackets, bit 0 first, set if opening: the lowest level after a closing one, starting from level 0.
struct LowestLevels {
  signed char of[256]{};
  constexpr LowestLevels() {
    for (int bits = 0; bits < 256; ++bits) {
      int level = 0;
      int lowest = 127;
      for (int i = 0; i < 8; ++i) {
        level += (bits >> i & 1) != 0 ? 1 : -1;
        if ((bits >> i & 1) == 0 && level < lowest) lowest = level;
      }
      of[bits] = static_cast<signed char>(lowest);
    }
  }
};
constexpr LowestLevels kLowest;

/// The 16 bytes starting at [n] move the first n bytes of a register to its end and fill the rest with zeros.
struct ToRight {
  signed char from[32]{};
  constexpr ToRight() {
    for (int i = 0; i < 32; ++i) from[i] = static_cast<signed char>(i < 16 ? -128 : i - 16);
  }
};
constexpr ToRight kToRight;

}  // namespace

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,pclmul"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,pclmul")
#endif

WARPSCOPE_KERNEL std::int64_t ones(std::uint64_t bits) { return __builtin_popcountll(bits); }
WARPSCOPE_KERNEL int first(std::uint64_t bits) { return __builtin_ctzll(bits); }

/// A carry-less product with all ones adds each bit to all bits above it.
WARPSCOPE_KERNEL std::uint64_t prefix_parity(std::uint64_t bits) {
  const __m128i factor = _mm_cvtsi64_si128(static_cast<long long>(bits));
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_clmulepi64_si128(factor, _mm_set1_epi8(-1), 0)));
}

/// Extracts the brackets in order, so a table can track the level across eight brackets at once.
WARPSCOPE_KERNEL bool closes(std::uint64_t opening, std::uint64_t closing, std::int64_t depth) {
  if (closing == 0 || depth > ones(closing)) return false;
  std::int64_t left = ones(opening | closing);
  std::uint64_t order = _pext_u64(opening, opening | closing);
  if (left < 64) order |= ~std::uint64_t{0} << left;
  for (; left > 0; left -= 8, order >>= 8) {
    if (depth + kLowest.of[order & 0xff] <= 0) return true;
    depth += 2 * ones(order & 0xff) - 8;
  }
  return false;
}

WARPSCOPE_KERNEL __m256i load32(const char* text) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text)); }
WARPSCOPE_KERNEL std::uint32_t mask32(__m256i bytes) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)); }
WARPSCOPE_KERNEL std::uint64_t mask64(__m256i low, __m256i high) {
  return mask32(low) | static_cast<std::uint64_t>(mask32(high)) << 32;
}

WARPSCOPE_KERNEL std::uint32_t different32(const char* a, const char* b) {
  return ~mask32(_mm256_cmpeq_epi8(load32(a), load32(b)));
}

WARPSCOPE_KERNEL std::uint32_t string_stops32(const char* text) {
  const __m256i bytes = load32(text);
  const __m256i quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
  const __m256i backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
  const __m256i odd = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes);  // signed: bytes from 0x80 on are negative
  return mask32(_mm256_or_si256(_mm256_or_si256(quote, backslash), odd));
}

WARPSCOPE_KERNEL std::uint64_t before_c(const char* text) {
  const __m256i letter = _mm256_set1_epi8('c');
  return mask64(_mm256_cmpeq_epi8(load32(text + 1), letter), _mm256_cmpeq_epi8(load32(text + 33), letter));
}

/// Combines all digits at once: digit pairs into two-digit numbers, these into four-digit numbers, and these into
/// eight-digit numbers.
WARPSCOPE_KERNEL const char* quick_microseconds(const char* at, Ns& value) {
  const __m128i digits = _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), _mm_set1_epi8('0'));
  const __m128i are_digits = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  const int count = first(~static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(are_digits))));
  const __m128i to_right = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kToRight.from + count));
  const __m128i twos =
      _mm_maddubs_epi16(_mm_shuffle_epi8(digits, to_right), _mm_set1_epi16(static_cast<short>(1 << 8 | 10)));
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(1 << 16 | 100));
  const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10'000));
  const auto halves = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  if (count == 0 || (*at == '0' && count > 1)) return nullptr;
  std::uint64_t number = ((halves & 0xffffffffU) * 100'000'000 + (halves >> 32)) * 1000;
  at += count;
  if (*at == '.') {
    std::uint32_t three = 0;
    __builtin_memcpy(&three, at + 1, sizeof three);
    at += 4;
    three &= 0xffffffU;
    if (((three & 0xf0f0f0U) | ((three + 0x060606U) & 0xf0f0f0U) >> 4) != 0x333333U) return nullptr;
    // The last two digits are the bytes f·2^8 + e; multiplying them by 10·2^8 + 1 adds them up in byte 1.
    number += (three & 0xfU) * 100 + ((three >> 8 & 0x0f0fU) * 0x0a01U >> 8 & 0xffU);
  }
  if (count == 16 && number >= 9'000'000'000'000'000'000U) return nullptr;
  if (const char c = *at; c != ',' && (static_cast<unsigned char>(c - '0') < 10 || c == '.' || c == 'e' || c == 'E'))
    return nullptr;
  value = static_cast<Ns>(number);
  return at;
}

#include "core/ingest/formats/trace_events/skeleton_kernel.hpp"

/// The classes of 32 bytes, one bit each. Each class consists of the bytes with certain low and certain high halves.
struct ByteClasses {
  static constexpr char kBreak = 1, kBlank = 2, kDigit = 4, kClosing = 8, kOpening = 16, kQuote = 32, kComma = 64;
  static constexpr char kBackslash = -128;

  [[gnu::always_inline]] static __m256i of(__m256i bytes) {
    const __m256i low = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(kDigit | kBlank, kDigit, kDigit | kQuote, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit,
                      kDigit | kBreak, kDigit | kBreak, kOpening, kBackslash | kComma, kClosing | kBreak, 0, 0));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(kBreak, 0, kQuote | kBlank | kComma, kDigit, 0,
                                                                   kBackslash | kOpening | kClosing, 0,
                                                                   kOpening | kClosing, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i halves = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
    // For non-ASCII bytes, the first shuffle yields 0.
    return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, halves));
  }

  /// The classes expected outside strings after the 32 bytes `before`: no blank after a digit or a quote. Half of the
  /// byte plus two, rounded down, separates these from white space and punctuation in the four bits of a shuffle.
  [[gnu::always_inline]] static __m256i expected_after(__m256i before) {
    constexpr char kAny = 127, kNoBlank = kAny & ~kBlank;
    const __m256i by_half =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(kAny, kAny, kNoBlank, kAny, kAny, kAny, kAny, kAny, kAny, kNoBlank,
                                                  kNoBlank, kNoBlank, kNoBlank, kNoBlank, kAny, kAny));
    return _mm256_shuffle_epi8(by_half, _mm256_avg_epu8(before, _mm256_set1_epi8(1)));
  }
};

/// The mask of a class, whose bit moves to the top of each byte.
template <int kShift>
WARPSCOPE_KERNEL std::uint64_t class64(__m256i low, __m256i high) {
  return mask64(_mm256_slli_epi16(low, kShift), _mm256_slli_epi16(high, kShift));
}

/// Marks backslashes in the top bit of their class, control characters and non-ASCII bytes by a signed subtraction.
WARPSCOPE_KERNEL __m256i odd_inside32(__m256i bytes, __m256i classes) {
  return _mm256_or_si256(_mm256_subs_epi8(bytes, _mm256_set1_epi8(0x20)), classes);
}

WARPSCOPE_KERNEL __m256i odd_outside32(const char* text, __m256i classes) {
  const __m256i expected = _mm256_and_si256(classes, ByteClasses::expected_after(load32(text - 1)));
  return _mm256_cmpeq_epi8(expected, _mm256_setzero_si256());
}

WARPSCOPE_KERNEL Classes classify(const char* text) {
  const __m256i low = load32(text);
  const __m256i high = load32(text + 32);
  const __m256i l = ByteClasses::of(low);
  const __m256i h = ByteClasses::of(high);
  return {class64<2>(l, h), class64<3>(l, h), class64<4>(l, h), mask64(odd_inside32(low, l), odd_inside32(high, h)),
          mask64(odd_outside32(text, l), odd_outside32(text + 32, h))};
}

const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event) {
  return match_event(table, at, end, event);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

}  // namespace warpscope::ingest::json::avx2

#endif
