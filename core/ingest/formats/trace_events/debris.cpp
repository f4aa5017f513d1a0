#include "core/ingest/formats/trace_events/debris.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/ingest/formats/trace_events/grammar.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {
namespace {

constexpr std::ptrdiff_t kLongerThanMost = 1024;
constexpr std::ptrdiff_t kLongerThanAnyText = std::ptrdiff_t{16} << 10;

bool is_debris(char c) {
  constexpr char kEscape = 0x1b;
  constexpr char kDelete = 0x7f;
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0xff || c == kDelete || (byte < 0x20 && !is_space(c) && c != kEscape);
}

/// Returns true if any of the consecutive 8-byte words from `from` on is all quotes or all commas.
bool has_row_of_signs(const char* from, const char* end) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  bool any = false;
  for (const char* at = from; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    any |= (word == kEach * '"') | (word == kEach * ',');
  }
  return any;
}

}  // namespace

const char* find_debris(const char* from, const char* end) {
  std::array<const char*, kDebrisBytes> last{};  // the last ones found, the oldest at `next`
  std::size_t next = 0;
  for (const char* at = from; at < end; ++at) {
    if (!is_debris(*at)) continue;
    last[next] = at;
    next = (next + 1) % last.size();
    if (const char* const first = last[next]; first != nullptr && at - first < kDebrisWithin) return first;
  }
  return end;
}

const char* find_debris_in_sound(const char* from, const char* end) {
  if (is_sound_by_length(from, end)) return end;
  const auto size = static_cast<std::size_t>(end - from);
  const bool suspicious = std::memchr(from, 0, size) != nullptr || std::memchr(from, 0xff, size) != nullptr;
  if (const char* const debris = suspicious ? find_debris(from, end) : end; debris < end) return debris;
  if (!has_row_of_signs(from, end)) return end;
  const ValueScan grammar = follow_grammar(from, end);
  return grammar.status == Scan::complete ? end : grammar.next;
}

const char* find_run(const char* from, const char* end) {
  // Any run covers one of the bytes at multiples of kRunBytes.
  for (const char* at = from + kRunBytes - 1; at < end; at += kRunBytes) {
    const char* begin = at;
    while (begin > from && begin[-1] == *at) --begin;
    const char* behind = at + 1;
    while (behind < end && *behind == *at) ++behind;
    if (behind - begin >= kRunBytes) return begin;
    at = std::max(at, behind - kRunBytes);
  }
  return end;
}

bool is_swallowed(const char* open, const char* close) {
  const std::ptrdiff_t size = close - open;
  if (size <= kLongerThanMost) return false;
  return size > kLongerThanAnyText || std::memchr(open, '\n', static_cast<std::size_t>(size)) != nullptr;
}

}  // namespace warpscope::ingest::json
