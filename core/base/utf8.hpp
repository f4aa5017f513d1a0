#pragma once
// Decodes possibly invalid UTF-8 and computes its terminal width. Names come from untrusted files, so all functions
// accept arbitrary bytes.
#include <cstddef>
#include <string>
#include <string_view>

namespace warpscope {

inline constexpr char32_t kReplacement = U'\uFFFD';

/// Reads the code point of `text` at `at` and moves `at` past it. A byte that does not start a valid sequence
/// (overlong, surrogate, truncated, beyond U+10FFFF) yields one kReplacement. `at` must be less than text.size().
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& at);

void append_code_point(std::string& out, char32_t code_point);

/// Returns the width of a code point in terminal columns: 0 (combining marks, joiners), 1, or 2 (East Asian wide,
/// emoji).
[[nodiscard]] int display_width(char32_t code_point);
/// Returns the width of a string in terminal columns; control characters count as one column, as in printable().
[[nodiscard]] std::size_t display_width(std::string_view text);

/// True for characters that can change a terminal or how the text after them is shown: control characters (C0, DEL,
/// C1), including tabs and line breaks, and characters that override the text direction.
[[nodiscard]] bool is_unsafe(char32_t code_point);

/// Returns `text` with invalid bytes and unsafe characters replaced by kReplacement; keeps tabs and line
/// breaks.
[[nodiscard]] std::string without_controls(std::string_view text);

/// Returns `text`. If it is longer than `longest` bytes, truncates it at a character boundary and appends "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t longest);

/// Makes `text` safe for one line of a terminal: replaces invalid bytes and unsafe characters (such as escape sequences
/// in a malicious name) with kReplacement, and tabs and line breaks with a space. If the text is wider than `max_width`
/// columns (0: no limit), replaces its middle with "…", because the start of a kernel name identifies its kind and the
/// end its variant.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_width = 0);

}  // namespace warpscope
