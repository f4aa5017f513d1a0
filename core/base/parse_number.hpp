#pragma once
// Parses numbers, ranges of numbers, and lists.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace warpscope {

/// Parses a string that consists of a single number. Returns nullopt for other strings and out-of-range numbers.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns `text` without leading and trailing `blanks`.
[[nodiscard]] inline std::string_view trimmed(std::string_view text, std::string_view blanks = " ") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Splits `text` at `separators`. Keeps empty parts except at the end.
[[nodiscard]] inline std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Parses "3" or "3-5" and returns the first and last number. Numbers may be negative and surrounded by spaces.
[[nodiscard]] inline std::optional<std::pair<std::int64_t, std::int64_t>> parse_number_range(std::string_view text) {
  text = trimmed(text);
  const std::size_t dash = text.find('-', 1);
  const auto first = parse_number<std::int64_t>(trimmed(text.substr(0, dash)));
  const auto last = dash == std::string_view::npos ? first : parse_number<std::int64_t>(trimmed(text.substr(dash + 1)));
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace warpscope
