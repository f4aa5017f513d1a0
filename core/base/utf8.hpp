#pragma once
// UTF-8 as far as this program needs it: reading code points from text that may be damaged, and how many columns a text
// takes on a terminal. Names come from files that anyone may have written, so nothing here trusts its input.
#include <cstddef>
#include <string>
#include <string_view>

namespace warpscope {

inline constexpr char32_t kReplacement = U'\uFFFD';

/// Reads one code point of `text` at `at` and moves `at` behind it. A byte that begins no valid sequence (overlong,
/// surrogate, cut off, beyond U+10FFFF) counts as one kReplacement. `at` must be less than text.size().
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& at);

void append_code_point(std::string& out, char32_t code_point);

/// Columns that one code point takes on a terminal: 0 (combining marks, joiners), 1, or 2 (East Asian wide, emoji).
[[nodiscard]] int display_width(char32_t code_point);
/// The same of a whole text; control characters count as one, as printable() shows them.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` with control characters (C0, DEL, C1) other than tabs and line ends, and invalid bytes, as kReplacement.
[[nodiscard]] std::string without_controls(std::string_view text);

/// `text` as it may go to a terminal: invalid bytes and control characters (escape sequences of a hostile name among
/// them) become kReplacement, tabs and line ends a space. If it is wider than `max_width` columns (0: no limit), its
/// middle gives way to "…": the begin of a kernel's name says what it is, its end which one.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_width = 0);

}  // namespace warpscope
