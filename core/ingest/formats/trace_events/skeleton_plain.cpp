// Matches skeletons with instructions available on all machines: SSE2 on x86-64, elsewhere loops that compilers
// vectorize.
#include <cstring>

#include "core/ingest/formats/trace_events/skeleton.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/scan.hpp"

#define WARPSCOPE_KERNEL [[gnu::always_inline]] static inline

namespace warpscope::ingest::json::plain {

WARPSCOPE_KERNEL std::int64_t ones(std::uint64_t bits) { return count_bits(bits); }
WARPSCOPE_KERNEL int first(std::uint64_t bits) { return __builtin_ctzll(bits); }
WARPSCOPE_KERNEL std::uint64_t prefix_parity(std::uint64_t bits) { return prefix_xor(bits); }
WARPSCOPE_KERNEL bool closes(std::uint64_t, std::uint64_t closing, std::int64_t depth) {
  return closing != 0 && depth <= ones(closing);
}

#if defined(__SSE2__)

WARPSCOPE_KERNEL std::uint32_t different32(const char* a, const char* b) {
  std::uint32_t same = 0;
  for (int i = 0; i < 2; ++i) {
    const __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a) + i);
    const __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b) + i);
    same |= static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(left, right))) << (16 * i);
  }
  return ~same;
}

#else

WARPSCOPE_KERNEL std::uint32_t different32(const char* a, const char* b) {
  std::uint32_t different = 0;
  for (unsigned i = 0; i < 32; ++i) different |= static_cast<std::uint32_t>(a[i] != b[i]) << i;
  return different;
}

#endif

WARPSCOPE_KERNEL std::uint32_t string_stops32(const char* text) {
  return string_stops16(text) | string_stops16(text + 16) << 16;
}

WARPSCOPE_KERNEL std::uint64_t before_c(const char* text) { return Block64(text + 1).equal('c'); }

WARPSCOPE_KERNEL const char* quick_microseconds(const char* at, Ns& value) {
  return parse_plain_microseconds(at, value);
}

#include "core/ingest/formats/trace_events/skeleton_kernel.hpp"

WARPSCOPE_KERNEL Classes classify(const char* text) {
  const Block64 block(text);
  const Block64 before(text - 1);
  const std::uint64_t blanks = block.equal(' ') & (before.digits() | before.equal('"'));
  return {block.equal('"'), block.equal_folded('{'), block.equal_folded('}'), block.odd_inside(),
          block.odd_outside() | blanks};
}

const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event) {
  return match_event(table, at, end, event);
}

}  // namespace warpscope::ingest::json::plain
