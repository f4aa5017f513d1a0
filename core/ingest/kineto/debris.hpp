#pragma once
// Text that something else was written over: blocks of zeros after a crash of the machine, parts of other files, what a
// failing disk gives. What stands before such a place and what stands behind it are of different events, so nothing
// that reaches into it can be believed, however well it reads.
//
// Idea: no writer of text makes control characters other than white space and escape (which colours text), nor the byte
// 0xFF. One of them may still stand in a name; several close together are no text. Random bytes have one in nine.
#include <cstddef>

namespace warpscope::ingest::kineto {

/// So many bytes that no writer of text makes, within so many bytes.
inline constexpr std::ptrdiff_t kDebrisBytes = 4;
inline constexpr std::ptrdiff_t kDebrisWithin = 64;

/// Where the first such place in [from, end) begins, or `end`. O(bytes).
[[nodiscard]] const char* find_debris(const char* from, const char* end);

/// The same for an event that was read without a fault: in its arguments zeros go unnoticed outside of strings, and
/// 0xFF within. Only what is longer than an event mostly is, is looked at, and first for these two, so that it costs
/// nothing that could be measured.
[[nodiscard]] const char* find_debris_in_sound(const char* from, const char* end);

}  // namespace warpscope::ingest::kineto
