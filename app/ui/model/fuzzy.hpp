#pragma once
// How well a few typed letters fit a name: the letters must occur in order; words' beginnings and runs of neighbours
// count for more. The palette ranks with it.
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct FuzzyMatch {
  int score = 0;                       ///< higher fits better; comparable for one query only
  std::vector<std::size_t> positions;  ///< of the matched bytes in the text
};

/// Case and spaces in the query do not matter. An empty query fits everything with score 0.
/// O(query · text) time, by dynamic programming: the best alignment, not the first.
[[nodiscard]] std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text);

/// True if each word of the query occurs in the text, case aside: for lists where guessing would be noise.
[[nodiscard]] bool has_words(std::string_view query, std::string_view text);

}  // namespace warpscope::ui
