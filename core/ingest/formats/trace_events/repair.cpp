#include "core/ingest/formats/trace_events/repair.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "core/base/ascii.hpp"
#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/event_fields.hpp"
#include "core/ingest/json/scan.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::json {
namespace {

bool is_closing(char c) { return c == '}' || c == ']'; }

/// Inspects text that ends at `end` with `bound`. All positions passed in must be within the text or at its end.
class Signs {
 public:
  Signs(const char* end, Bound bound) : end_(end), bound_(bound) {}

  /// Returns the first byte at or after `at` that is not white space, or the end.
  [[nodiscard]] const char* space(const char* at) const {
    while (at < end_ && is_space(*at)) ++at;
    return at;
  }
  /// Returns the byte at `at`, or '\0' at the end of the text.
  [[nodiscard]] char peek(const char* at) const { return at < end_ ? *at : '\0'; }

  /// Returns the position after the colon of the key at `quote`, or null if it is not a key.
  [[nodiscard]] const char* key_end(const char* quote) const;
  /// Returns true for a comma followed by a known event key: the only evidence trusted even after a backslash.
  [[nodiscard]] bool is_event_key_next(const char* comma) const;
  /// Returns true if the quote plausibly ends the value of a top-level key of the event.
  [[nodiscard]] bool ends_event_string(const char* quote) const;
  /// Returns true if the quote plausibly ends a string within the arguments.
  [[nodiscard]] bool ends_nested_string(const char* quote, bool in_object) const;

 private:
  [[nodiscard]] bool ends_event(const char* brace) const;
  [[nodiscard]] bool makes_sense_behind_bracket(const char* at) const;

  const char* end_;
  Bound bound_;
};

constexpr std::ptrdiff_t kLongestSign = 256;

/// Returns true for the words C's printf uses for non-finite numbers, and similar words.
bool is_nan_or_infinity(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  constexpr std::array<std::string_view, 6> kWords{"inf", "infinity", "nan", "1.#inf", "1.#qnan", "1.#ind"};
  const std::string folded = lower(word);
  return std::ranges::any_of(kWords, [&](std::string_view known) { return folded.starts_with(known); });
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

/// Walks a region of text, never going past its end.
class Walker {
 public:
  Walker(const Region& region, Notes& notes)
      : signs_(region.end, region.bound), end_(region.end), bound_(region.bound), notes_(notes) {}

  /// Splits the event at `at` into its members; see split_damaged_event.
  EventOutcome event(const char* at, std::vector<RawField>& fields) {
    bool comma = true;
    for (++at;;) {
      at = signs_.space(at);
      if (signs_.peek(at) == '}') {
        if (comma && !fields.empty()) notes_.add(Oddity::trailing_comma, at);
        return {EventStatus::complete, at + 1};
      }
      const char* const value = comma && signs_.peek(at) == '"' ? signs_.key_end(at) : nullptr;
      if (value == nullptr && bound_ == Bound::overwritten) {
        while (!fields.empty() && fields.back().value.data() + fields.back().value.size() == end_) fields.pop_back();
        return {EventStatus::complete, end_};
      }
      if (value == nullptr) {
        const bool cut = bound_ == Bound::text_end && std::find(at, end_, '}') == end_;
        return {cut ? EventStatus::truncated : EventStatus::unreadable, end_};
      }
      const std::string_view key = inner(at, value);
      note_oddities(key);
      const char* const begin = signs_.space(value);
      at = event_value(begin);
      fields.push_back({key, {begin, static_cast<std::size_t>(at - begin)}});
      at = signs_.space(at);
      comma = signs_.peek(at) == ',';
      at += comma ? 1 : 0;
    }
  }

  /// Splits the object at `at` into its members.
  void object(const char* at, std::vector<RawField>& fields) {
    for (at = signs_.space(at + 1); at < end_ && *at != '}'; at = signs_.space(at)) {
      const char* const value = *at == '"' ? signs_.key_end(at) : nullptr;
      if (value == nullptr) {
        ++at;
        continue;
      }
      const std::string_view key = inner(at, value);
      const char* const begin = signs_.space(value);
      at = nested_value(begin, true);
      fields.push_back({key, {begin, static_cast<std::size_t>(at - begin)}});
    }
  }

  const char* value(const char* at) { return nested_value(at, true); }

 private:
  /// Returns the key that starts at `quote` and whose colon ends before `value`, without quotes.
  static std::string_view inner(const char* quote, const char* value) {
    const char* close = value - 1;
    while (*close != '"') --close;
    return {quote + 1, static_cast<std::size_t>(close - quote - 1)};
  }

  /// Context of a string, which determines where it can plausibly end.
  enum class Place : std::uint8_t { event, object, array, count_ };

  /// Returns the position after the string at `quote`. `ends(quote)`: plausible end; `sure(quote)`: end even after a
  /// backslash.
  template <class Ends, class Sure>
  const char* string(const char* quote, Place place, Ends ends, Sure sure) {
    // If one string has no plausible end, neither do later strings, so they end at their first quote.
    const char*& endless = endless_[static_cast<std::size_t>(place)];
    const bool hopeless = endless != nullptr && quote >= endless;
    const char* first = nullptr;
    for (const char* at = quote + 1; at < end_ && !(hopeless && first != nullptr); ++at) {
      if (*at == '\\' && signs_.peek(at + 1) == '"' && sure(at + 1)) {
        notes_.add(Oddity::stray_backslash, at);
        return string_end(quote, at + 1, first);
      }
      if (*at == '\\') {
        ++at;
      } else if (*at == '"') {
        if (ends(at)) return string_end(quote, at, first);
        if (first == nullptr) first = at;
      }
    }
    if (!hopeless) endless = quote;
    if (first != nullptr) return string_end(quote, first, first);
    if (bound_ != Bound::text_end && bound_ != Bound::overwritten) notes_.add(Oddity::bare_quote, quote);
    return end_;
  }

  const char* string_end(const char* open, const char* close, const char* first) {
    if (first != nullptr) notes_.add(Oddity::bare_quote, first);
    note_oddities({open + 1, static_cast<std::size_t>(close - open - 1)});
    return close + 1;
  }

  void note_oddities(std::string_view string) {
    Scratch scratch;
    (void)decode_string(string, scratch, notes_);
  }

  const char* event_value(const char* at) {
    if (signs_.peek(at) == '"')
      return string(
          at, Place::event, [&](const char* quote) { return signs_.ends_event_string(quote); },
          [&](const char* quote) { return signs_.is_event_key_next(signs_.space(quote + 1)); });
    return nested_value(at, true);
  }

  const char* nested_value(const char* at, bool in_object) {
    switch (signs_.peek(at)) {
      case '"':
        return string(
            at, in_object ? Place::object : Place::array,
            [&](const char* quote) { return signs_.ends_nested_string(quote, in_object); },
            [&](const char* quote) {
              const char* const comma = signs_.space(quote + 1);
              const char* const next = signs_.peek(comma) == ',' ? signs_.space(comma + 1) : end_;
              return in_object && signs_.peek(next) == '"' && signs_.key_end(next) != nullptr;
            });
      case '{':
      case '[':
        return brackets(at);
      default:
        return word(at);
    }
  }

  const char* word(const char* at) {
    const char* const begin = at;
    while (at < end_ && *at != ',' && *at != '"' && !is_closing(*at) && !is_space(*at)) ++at;
    const std::string_view text(begin, static_cast<std::size_t>(at - begin));
    if (is_nan_or_infinity(text))
      notes_.add(Oddity::not_a_number, begin);
    else if (!is_scalar(text) && at < end_)
      notes_.add(Oddity::stray_text, begin);
    return at;
  }

  /// Returns the position after the object or array at `at`; the end of the text if a bracket of the wrong kind closes
  /// it.
  const char* brackets(const char* at) {
    std::vector<char> open;
    char last = '\0';  // last structural byte: a bracket, a comma, a colon, or 'v' for a value
    while (at < end_) {
      const char c = *at;
      if (is_space(c)) {
        ++at;
      } else if (is_closing(c)) {
        if (last == ',') notes_.add(Oddity::trailing_comma, at);
        if (open.back() != (c == '}' ? '{' : '[')) return end_;
        open.pop_back();
        ++at;
        if (open.empty()) return at;
        last = 'v';
      } else if (c == '{' || c == '[' || c == ',' || c == ':') {
        if (c == '{' || c == '[') open.push_back(c);
        last = c;
        ++at;
      } else {
        const bool in_object = open.back() == '{';
        const char* const after_key = c == '"' && in_object && last != ':' ? signs_.key_end(at) : nullptr;
        const char* const next = after_key != nullptr ? after_key : nested_value(at, in_object);
        last = after_key != nullptr ? ':' : 'v';
        at = next > at ? next : at + 1;
      }
    }
    return end_;
  }

  Signs signs_;
  const char* end_;
  Bound bound_;
  Notes& notes_;
  std::array<const char*, static_cast<std::size_t>(Place::count_)> endless_{};
};

}  // namespace

EventOutcome split_damaged_event(const Region& region, std::vector<RawField>& fields, Notes& notes) {
  return Walker(region, notes).event(region.begin, fields);
}

void split_damaged_object(std::string_view text, std::vector<RawField>& fields, Notes& notes) {
  const Region region{text.data(), text.data() + text.size(), Bound::text_end};
  Walker(region, notes).object(region.begin, fields);
}

const char* skip_damaged_value(const char* at, const char* end, Notes& notes) {
  return Walker({at, end, Bound::text_end}, notes).value(at);
}

EventOutcome repair_event(const Region& region, RawEvent& event, Scratch& scratch, Notes& notes) {
  std::vector<RawField> fields;
  const EventOutcome result = split_damaged_event(region, fields, notes);
  if (result.status != EventStatus::complete) return result;
  std::uint32_t seen = 0;
  for (const RawField& field : fields) {
    const KeyMatch match = match_key(field.key.data());
    if (match.key == Key::other) continue;
    const std::uint32_t bit = 1U << static_cast<unsigned>(match.key);
    // Two events run together because the text between them is missing.
    if ((seen & bit) != 0 && notes.broken()) return {EventStatus::unreadable, region.end};
    if ((seen & bit) != 0) notes.add(Oddity::duplicate_key, field.key.data());
    seen |= bit;
    if (match.key != Key::arguments)
      set_field(event, match.key, field.value, scratch, notes);
    else
      event.arguments = field.value.starts_with('{') ? field.value : std::string_view{};
  }
  if (!event.has_time && (notes.broken() || region.bound == Bound::overwritten))
    return {EventStatus::unreadable, region.end};
  if (!event.arguments.empty() && wants_correlation(event)) {
    std::vector<RawField> arguments;
    split_damaged_object(event.arguments, arguments, notes);
    for (const RawField& argument : arguments)
      if (argument.key == "correlation") set_correlation(event, argument.value, notes);
  }
  return result;
}

}  // namespace warpscope::ingest::json
