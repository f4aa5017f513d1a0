#pragma once
// Recognizes structure in corrupt text, where quotes and brackets themselves are unreliable: judges each by what
// follows it. Only inspects text; repair.hpp decides.
#include <string_view>

#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

/// Returns true for the words that C's printf writes for numbers that are not finite, and similar ones.
[[nodiscard]] bool is_nan_or_infinity(std::string_view word);
/// Returns true for a JSON word, or what may be a number.
[[nodiscard]] bool is_plain_word(std::string_view word);
[[nodiscard]] inline bool is_closing(char c) { return c == '}' || c == ']'; }

/// Inspects text that ends at `end` with `bound`; all positions passed must be in it or at its end.
class Signs {
 public:
  Signs(const char* end, Bound bound) : end_(end), bound_(bound) {}

  /// Returns the first byte from `at` on that is not white space, or the end.
  [[nodiscard]] const char* space(const char* at) const {
    while (at < end_ && is_space(*at)) ++at;
    return at;
  }
  /// Returns '\0' at the end.
  [[nodiscard]] char peek(const char* at) const { return at < end_ ? *at : '\0'; }

  /// Returns the position after the colon of the key at `quote`, or null if that is not a key.
  [[nodiscard]] const char* key_end(const char* quote) const;
  /// Returns the first known event key, or bracket that ends the event, from `at` on.
  [[nodiscard]] const char* next_event_key(const char* at) const;
  /// Returns true for a comma followed by a known event key: the only sign trusted even after a backslash.
  [[nodiscard]] bool is_event_key_next(const char* comma) const;
  /// Returns true if the quote plausibly ends the value of a key of the event itself.
  [[nodiscard]] bool ends_event_string(const char* quote) const;
  /// Returns true if it plausibly ends a string within the arguments.
  [[nodiscard]] bool ends_nested_string(const char* quote, bool in_object) const;

 private:
  [[nodiscard]] bool ends_event(const char* brace) const;
  [[nodiscard]] bool makes_sense_behind_bracket(const char* at) const;

  const char* end_;
  Bound bound_;
};

}  // namespace warpscope::ingest::json
