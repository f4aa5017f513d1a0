#pragma once
// Letters without their case, as names of files, kernels and commands are compared: ASCII only, the same under every
// locale.
#include <string>
#include <string_view>

namespace warpscope {

[[nodiscard]] constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = lower(c);
  return folded;
}

}  // namespace warpscope
