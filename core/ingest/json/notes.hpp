#pragma once
// Problems found in one event, collected during parsing and turned into diagnostics when the event is delivered.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/diagnostics.hpp"

namespace warpscope::ingest::json {

enum class Oddity : std::uint8_t {
  bare_quote,
  stray_backslash,
  control_character,
  invalid_utf8,
  not_a_number,
  trailing_comma,
  stray_text,
  duplicate_key,
  time_unreadable,
  time_out_of_range,
  correlation_unreadable,
  arguments_disordered,
  count_,
};

struct OddityKind {
  std::string_view code;
  Severity severity = Severity::warning;
  bool repair = true;  ///< strict JSON would reject the event
};

/// Properties of each Oddity, in enum order.
inline constexpr std::array<OddityKind, static_cast<std::size_t>(Oddity::count_)> kOddityKinds{{
    {"bare-quote"},
    {"stray-backslash"},
    {"control-character"},
    {"invalid-utf8"},
    {"not-a-number"},
    {"trailing-comma"},
    {"stray-text"},
    {"duplicate-key", Severity::info, false},
    {"time-unreadable", Severity::warning, false},
    {"time-out-of-range", Severity::warning, false},
    {"correlation-unreadable", Severity::warning, false},
    {"arguments-damaged", Severity::warning, false},
}};

[[nodiscard]] constexpr const OddityKind& kind_of(Oddity oddity) {
  return kOddityKinds[static_cast<std::size_t>(oddity)];
}

/// Keeps at most one note of each kind per event: the first, with its position.
class Notes {
 public:
  void add(Oddity oddity, const char* where) {
    const auto i = static_cast<std::size_t>(oddity);
    if ((mask_ >> i & 1U) != 0) return;
    mask_ |= 1U << i;
    where_[i] = where;
  }
  void clear() { mask_ = 0; }
  [[nodiscard]] bool empty() const { return mask_ == 0; }
  [[nodiscard]] bool has(Oddity oddity) const { return (mask_ >> static_cast<std::size_t>(oddity) & 1U) != 0; }
  [[nodiscard]] bool repaired() const {
    bool any = false;
    for_each([&](Oddity oddity, const char*) { any = any || kind_of(oddity).repair; });
    return any;
  }
  /// Returns true if the event's text is incomplete or mixed with other text.
  [[nodiscard]] bool broken() const { return has(Oddity::bare_quote) || has(Oddity::stray_text); }
  /// Calls visit(oddity, where) for each note.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < where_.size(); ++i)
      if ((mask_ >> i & 1U) != 0) visit(static_cast<Oddity>(i), where_[i]);
  }

 private:
  std::uint32_t mask_ = 0;
  std::array<const char*, static_cast<std::size_t>(Oddity::count_)> where_{};
};

}  // namespace warpscope::ingest::json
