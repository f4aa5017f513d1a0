#include "core/ingest/kineto/debris.hpp"

#include <array>
#include <cstring>

#include "core/ingest/kineto/scan.hpp"

namespace warpscope::ingest::kineto {
namespace {

constexpr std::ptrdiff_t kLongerThanMost = 1024;

bool is_debris(char c) {
  constexpr char kEscape = 0x1b;
  constexpr char kDelete = 0x7f;
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0xff || c == kDelete || (byte < 0x20 && !is_space(c) && c != kEscape);
}

}  // namespace

const char* find_debris(const char* from, const char* end) {
  std::array<const char*, kDebrisBytes> last{};  // those found last, the oldest at `next`
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
  if (end - from <= kLongerThanMost) return end;
  const auto size = static_cast<std::size_t>(end - from);
  const bool suspicious = std::memchr(from, 0, size) != nullptr || std::memchr(from, 0xff, size) != nullptr;
  return suspicious ? find_debris(from, end) : end;
}

}  // namespace warpscope::ingest::kineto
