#pragma once
// Reads the kernel's text files (/proc, /sys).
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::record {

/// Returns the current contents of a file; "" on error.
[[nodiscard]] std::string kernel_text(const std::string& path);

/// Removes and returns the first line of `text`, without its newline.
[[nodiscard]] std::string_view take_line(std::string_view& text);
/// Removes and returns the first word of `line`; "" if there is none.
[[nodiscard]] std::string_view take_word(std::string_view& line);
/// Removes the first word and returns it as a number; 0 if it is not a number.
[[nodiscard]] std::uint64_t take_count(std::string_view& line);

/// Returns the increase of a counter; 0 if it was reset.
[[nodiscard]] constexpr std::uint64_t growth(std::uint64_t before, std::uint64_t now) {
  return now > before ? now - before : 0;
}

}  // namespace warpscope::record
