#pragma once
// What tells structure in damaged text, where quotes and brackets themselves cannot be believed: each is judged by what
// follows it. Looks at text, decides nothing about it; repair.hpp does.
#include <string_view>

#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

/// Words that C's printf makes of what is no number, and others of the kind.
[[nodiscard]] bool is_nan_or_infinity(std::string_view word);
/// A word of JSON, or what may be a number.
[[nodiscard]] bool is_plain_word(std::string_view word);
[[nodiscard]] inline bool is_closing(char c) { return c == '}' || c == ']'; }

/// Signs in text that ends at `end`, with `bound` there; all places that are asked for lie in it, or at its end.
class Signs {
 public:
  Signs(const char* end, Bound bound) : end_(end), bound_(bound) {}

  /// The first byte from `at` on that is no white space, or the end.
  [[nodiscard]] const char* space(const char* at) const {
    while (at < end_ && is_space(*at)) ++at;
    return at;
  }
  /// '\0' at the end.
  [[nodiscard]] char peek(const char* at) const { return at < end_ ? *at : '\0'; }

  /// After the colon of the key at `quote`, or null if that is no key.
  [[nodiscard]] const char* key_end(const char* quote) const;
  /// The first key that events have, or bracket that ends the event, from `at` on.
  [[nodiscard]] const char* next_event_key(const char* at) const;
  /// A comma and a key of events: the one sign that is trusted even behind a backslash.
  [[nodiscard]] bool is_event_key_next(const char* comma) const;
  /// Does the quote plausibly end the value of a key of the event itself?
  [[nodiscard]] bool ends_event_string(const char* quote) const;
  /// Does it end a string within the arguments?
  [[nodiscard]] bool ends_nested_string(const char* quote, bool in_object) const;

 private:
  [[nodiscard]] bool ends_event(const char* brace) const;
  [[nodiscard]] bool makes_sense_behind_bracket(const char* at) const;

  const char* end_;
  Bound bound_;
};

}  // namespace warpscope::ingest::json
