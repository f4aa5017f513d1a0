#include "core/store/event_values.hpp"

#include <cstring>

#include "core/base/ascii.hpp"

namespace warpscope::store {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

const char* skip_space(const char* at, const char* end) {
  while (at < end && is_space(*at)) ++at;
  return at;
}

const char* find_quote(const char* at, const char* end) {
  if (at >= end) return nullptr;
  return static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
}

/// Returns the closing quote of the string whose text starts at `begin`, or null.
const char* find_close(const char* begin, const char* end) {
  for (const char* at = begin;; ++at) {
    at = find_quote(at, end);
    if (at == nullptr || at == begin || at[-1] != '\\') return at;
    const char* slash = at;
    while (slash > begin && slash[-1] == '\\') --slash;
    if ((at - slash) % 2 == 0) return at;
  }
}

/// Returns the end of the number at `at`; `at` itself if there is none.
const char* skip_number(const char* at, const char* end) {
  const char* next = at;
  if (next < end && *next == '-') ++next;
  const char* const whole = next;
  while (next < end && is_digit(*next)) ++next;
  if (next == whole) return at;
  if (next + 1 < end && *next == '.' && is_digit(next[1])) {
    ++next;
    while (next < end && is_digit(*next)) ++next;
  }
  return next;
}

/// Returns the end of the array at `at`, or null if it is not closed.
const char* skip_array(const char* at, const char* end) {
  for (std::size_t depth = 0; at < end; ++at) {
    switch (*at) {
      case '[':
        ++depth;
        break;
      case ']':
        if (--depth == 0) return at + 1;
        break;
      case '"':
        at = find_close(at + 1, end);
        if (at == nullptr) return nullptr;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

void find_values(std::string_view text, std::vector<EventValue>& values) {
  values.clear();
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const auto add = [&](std::string_view key, const char* begin, const char* after, ValueKind kind) {
    values.push_back({key, between(begin, after), kind});
    at = after;
  };
  while (values.size() < kMostValues) {
    const char* const quote = find_quote(at, end);
    if (quote == nullptr) return;
    const char* const close = find_close(quote + 1, end);
    if (close == nullptr) return;
    const std::string_view key = between(quote + 1, close);
    at = skip_space(close + 1, end);
    if (at == end) return;
    if (*at != ':') continue;
    at = skip_space(at + 1, end);
    if (at == end) return;
    if (*at == '"') {
      const char* const last = find_close(at + 1, end);
      if (last == nullptr) return;
      const bool number = last > at + 1 && skip_number(at + 1, last) == last;
      add(key, at + 1, last, number ? ValueKind::number : ValueKind::text);
      ++at;
    } else if (*at == '[') {
      const char* const after = skip_array(at, end);
      if (after == nullptr) return;
      add(key, at, after, ValueKind::text);
    } else if (const char* const after = skip_number(at, end); after != at) {
      add(key, at, after, ValueKind::number);
    }
  }
}

}  // namespace warpscope::store
