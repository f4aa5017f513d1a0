#pragma once
// Converts enumerators to words and back.
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace warpscope {

/// Returns the word for an enumerator, or "" if it has none. `words` has one word per enumerator, in order.
template <class Enum, std::size_t kCount>
[[nodiscard]] constexpr std::string_view word_at(const std::array<std::string_view, kCount>& words, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kCount ? words[index] : std::string_view();
}

/// Returns the enumerator for a word; nullopt for other strings.
template <class Enum, std::size_t kCount>
[[nodiscard]] constexpr std::optional<Enum> value_of(const std::array<std::string_view, kCount>& words,
                                                     std::string_view word) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace warpscope
