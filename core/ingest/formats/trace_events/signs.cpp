#include "core/ingest/formats/trace_events/signs.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/ingest/formats/trace_events/boundary.hpp"

namespace warpscope::ingest::json {
namespace {

constexpr std::ptrdiff_t kLongestSign = 256;

}  // namespace

bool is_nan_or_infinity(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  constexpr std::array<std::string_view, 6> kWords{"inf", "infinity", "nan", "1.#inf", "1.#qnan", "1.#ind"};
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; };
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view known) {
    return word.size() >= known.size() &&
           std::equal(known.begin(), known.end(), word.begin(), [&](char a, char b) { return same(b, a); });
  });
}

bool is_plain_word(std::string_view word) {
  return word == "null" || word == "true" || word == "false" ||
         (!word.empty() && std::all_of(word.begin(), word.end(), is_number_char));
}

const char* Signs::key_end(const char* quote) const {
  const char* const last = end_ - quote > kLongestSign ? quote + kLongestSign : end_;
  for (const char* at = quote + 1; at < last; ++at) {
    if (*at == '\\') {
      ++at;
    } else if (*at == '"') {
      const char* const colon = space(at + 1);
      return peek(colon) == ':' ? colon + 1 : nullptr;
    }
  }
  return nullptr;
}

const char* Signs::next_event_key(const char* at) const {
  for (; at < end_; ++at) {
    if (*at == '"' && is_event_key(at + 1, end_)) return at;
    if (*at == '}' && ends_event(at)) return at;
  }
  return end_;
}

/// Returns true if the '}' at `brace` ends the event.
bool Signs::ends_event(const char* brace) const {
  const char* follow = space(brace + 1);
  if (follow >= end_) return true;
  if (*follow == ',') {
    follow = space(follow + 1);
    return follow >= end_ || (bound_ != Bound::known && *follow == '{');
  }
  return *follow == ']' && bound_ != Bound::known;
}

bool Signs::is_event_key_next(const char* comma) const {
  if (peek(comma) != ',') return false;
  const char* const quote = space(comma + 1);
  return peek(quote) == '"' && is_event_key(quote + 1, end_);
}

bool Signs::ends_event_string(const char* quote) const {
  const char* follow = space(quote + 1);
  if (follow >= end_ || is_event_key_next(follow)) return true;
  if (*follow == '"') return is_event_key(follow + 1, end_);  // the comma is missing
  if (*follow == ',') {
    follow = space(follow + 1);
    if (follow >= end_) return true;
  }
  return *follow == '}' && ends_event(follow);
}

bool Signs::makes_sense_behind_bracket(const char* at) const {
  const char* const follow = space(at);
  return follow >= end_ || *follow == ',' || is_closing(*follow);
}

bool Signs::ends_nested_string(const char* quote, bool in_object) const {
  const char* follow = space(quote + 1);
  if (follow >= end_) return true;
  if (is_closing(*follow)) return makes_sense_behind_bracket(follow + 1);
  if (*follow != ',') return false;
  follow = space(follow + 1);
  if (follow >= end_ || is_closing(*follow)) return true;
  if (in_object) return *follow == '"' && key_end(follow) != nullptr;
  return std::strchr("\"[{-0123456789ntfiNI", *follow) != nullptr && *follow != '\0';
}

}  // namespace warpscope::ingest::json
