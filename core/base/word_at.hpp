#pragma once
// Words for the values of an enum.
#include <array>
#include <cstddef>
#include <string_view>

namespace warpscope {

/// Returns the word of an enumerator; "" for a value without one. `words` has one for each, in their order.
template <class Enum, std::size_t kCount>
[[nodiscard]] constexpr std::string_view word_at(const std::array<std::string_view, kCount>& words, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kCount ? words[index] : std::string_view();
}

}  // namespace warpscope
