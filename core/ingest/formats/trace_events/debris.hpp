#pragma once
// Text that something else was written over: blocks of zeros after a crash of the machine, parts of other files, what a
// failing disk gives. What stands before such a place and what stands behind it are of different events, so nothing
// that reaches into it can be believed, however well it reads.
//
// Idea: no writer of text makes control characters other than white space and escape (which colours text), nor the byte
// 0xFF. One of them may still stand in a name; several close together are no text. Random bytes have one in nine.
#include <cstddef>

namespace warpscope::ingest::json {

/// So many bytes that no writer of text makes, within so many bytes.
inline constexpr std::ptrdiff_t kDebrisBytes = 4;
inline constexpr std::ptrdiff_t kDebrisWithin = 64;

/// So many of the same byte no one writes into an event, but who fills a block with it.
inline constexpr std::ptrdiff_t kRunBytes = 256;

/// Where the first such place in [from, end) begins, or `end`. O(bytes).
[[nodiscard]] const char* find_debris(const char* from, const char* end);

/// True for events of ordinary length: those that parse without error are not searched for debris.
[[nodiscard]] inline bool is_sound_by_length(const char* from, const char* end) {
  constexpr std::ptrdiff_t kLongerThanMost = 1024;
  return end - from <= kLongerThanMost;
}

/// The same for an event that was read without a fault: in its arguments zeros go unnoticed outside of strings, 0xFF
/// within, and quotes and commas in rows. Only what is longer than an event mostly is, is looked at, and first for
/// these, so that it costs nothing that could be measured.
[[nodiscard]] const char* find_debris_in_sound(const char* from, const char* end);

/// Where the first run of kRunBytes of the same byte in [from, end) begins, or `end`: of an event that needed repair.
/// O(bytes / kRunBytes) where nothing looks like one.
[[nodiscard]] const char* find_run(const char* from, const char* end);

/// Did the text between two quotes of a repaired event begin in one event and end in another? Then there are lines in
/// it, or it is longer than names and arguments are.
[[nodiscard]] bool is_swallowed(const char* open, const char* close);

}  // namespace warpscope::ingest::json
