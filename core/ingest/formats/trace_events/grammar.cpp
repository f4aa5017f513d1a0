#include "core/ingest/formats/trace_events/grammar.hpp"

#include <vector>

namespace warpscope::ingest::json {
namespace {

/// What may come next.
enum class Wanted : std::uint8_t { value, value_or_close, key, key_or_close, comma_or_close };

/// Returns the position after the closing quote of the string at `quote`, regardless of its content; null if it does
/// not end before `end`.
const char* string_end(const char* quote, const char* end) {
  for (const char* at = quote + 1;;) {
    if (at >= end) return nullptr;
    at = string_stop(at, end);
    if (at >= end) return nullptr;
    if (*at == '"') return at + 1;
    at += *at == '\\' ? 2 : 1;
  }
}

bool is_word_char(char c) { return is_number_char(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '#'; }

}  // namespace

ValueScan follow_grammar(const char* at, const char* end) {
  const ValueScan cut{Scan::need_more, end};
  std::vector<bool> objects;  // for each open bracket: whether it is an object's
  Wanted wanted = Wanted::value;
  for (;;) {
    at = skip_space(at);
    if (at >= end) return cut;
    const ValueScan wrong{Scan::damaged, at};
    const bool value = wanted == Wanted::value || wanted == Wanted::value_or_close;
    const bool key = wanted == Wanted::key || wanted == Wanted::key_or_close;
    switch (*at) {
      case '{':
      case '[':
        if (!value) return wrong;
        objects.push_back(*at == '{');
        wanted = objects.back() ? Wanted::key_or_close : Wanted::value_or_close;
        ++at;
        break;
      case '}':
      case ']':
        if (wanted == Wanted::value || wanted == Wanted::key || objects.back() != (*at == '}')) return wrong;
        objects.pop_back();
        ++at;
        if (objects.empty()) return {Scan::complete, at};
        wanted = Wanted::comma_or_close;
        break;
      case ',':
        if (wanted != Wanted::comma_or_close) return wrong;
        wanted = objects.back() ? Wanted::key : Wanted::value;
        ++at;
        break;
      case '"':
        if (!value && !key) return wrong;
        at = string_end(at, end);
        if (at == nullptr) return cut;
        wanted = Wanted::comma_or_close;
        if (!key) break;
        at = skip_space(at);
        if (at >= end) return cut;
        if (*at != ':') return {Scan::damaged, at};
        ++at;
        wanted = Wanted::value;
        break;
      default:
        if (!value || !is_word_char(*at)) return wrong;
        while (at < end && is_word_char(*at)) ++at;
        wanted = Wanted::comma_or_close;
    }
  }
}

}  // namespace warpscope::ingest::json
