#pragma once
// Scores how well a few typed letters match a name, to rank commands in the palette. The letters must occur in order;
// word starts and consecutive letters score higher.
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct FuzzyMatch {
  int score = 0;                       ///< higher is better; comparable only within one query
  std::vector<std::size_t> positions;  ///< matched bytes in the text
};

/// Matches the query against the text, ignoring case and spaces in the query. An empty query matches everything with
/// score 0. O(n · m) time for query length n and text length m: dynamic programming finds the best alignment, not the
/// first.
[[nodiscard]] std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text);

/// True if each word of the query occurs in the text, ignoring case. For lists where fuzzy matching would be too noisy.
[[nodiscard]] bool has_words(std::string_view query, std::string_view text);

}  // namespace warpscope::ui
