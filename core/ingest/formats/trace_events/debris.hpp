#pragma once
// Detects text that was overwritten: blocks of zeros after a system crash, parts of other files, output of a failing
// disk. The text before and after such a place belongs to different events, so anything that reaches into it is
// unreliable, however well it parses.
//
// Idea: no writer of text emits control characters other than white space and escape (which colours text), nor the byte
// 0xFF. A single one may occur in a name; several close together are not text. In random bytes one in nine is such a
// byte.
#include <cstddef>

namespace warpscope::ingest::json {

/// This many non-text bytes within this many bytes count as overwritten.
inline constexpr std::ptrdiff_t kDebrisBytes = 4;
inline constexpr std::ptrdiff_t kDebrisWithin = 64;

/// No event contains this many equal bytes, only a filled block does.
inline constexpr std::ptrdiff_t kRunBytes = 256;

/// Returns the start of the first such place in [from, end), or `end`. O(bytes).
[[nodiscard]] const char* find_debris(const char* from, const char* end);

/// Returns true for events of ordinary length: those that parse without error are not searched for debris.
[[nodiscard]] inline bool is_sound_by_length(const char* from, const char* end) {
  constexpr std::ptrdiff_t kLongerThanMost = 1024;
  return end - from <= kLongerThanMost;
}

/// Same for an event that parsed without error. In arguments the parser accepts zeros outside of strings, 0xFF inside
/// strings, and rows of quotes and commas. Checks only text longer than usual events, and for these bytes first, so the
/// cost is not measurable.
[[nodiscard]] const char* find_debris_in_sound(const char* from, const char* end);

/// Returns the start of the first run of kRunBytes equal bytes in [from, end), or `end`; for an event that needed
/// repair. O(bytes / kRunBytes) if no run is likely.
[[nodiscard]] const char* find_run(const char* from, const char* end);

/// Returns true if the text between two quotes of a repaired event starts in one event and ends in another: it contains
/// line breaks, or is longer than names and arguments are.
[[nodiscard]] bool is_swallowed(const char* open, const char* close);

}  // namespace warpscope::ingest::json
