#pragma once
// Finds words in texts, for lists that the user filters by typing.
#include <algorithm>
#include <string_view>

#include "core/base/ascii.hpp"

namespace warpscope::ui {

/// True if each word of the query occurs in the text, ignoring case.
[[nodiscard]] inline bool has_words(std::string_view query, std::string_view text) {
  while (true) {
    const std::size_t begin = query.find_first_not_of(' ');
    if (begin == std::string_view::npos) return true;
    const std::size_t end = std::min(query.find(' ', begin), query.size());
    const std::string_view word = query.substr(begin, end - begin);
    const auto found = std::ranges::search(text, word, [](char a, char b) { return lower(a) == lower(b); });
    if (found.empty()) return false;
    query.remove_prefix(end);
  }
}

}  // namespace warpscope::ui
