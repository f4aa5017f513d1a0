#pragma once
// Lexer for filter expressions: words, quoted strings, operators, fields. Used only by the parser.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/filter/filter.hpp"

namespace warpscope {

/// `in` is ":", `like` is "~". "!=" and "!~" are `equal` and `like` with `negated`.
enum class FilterOperator : std::uint8_t { none, in, like, equal, less, less_equal, greater, greater_equal };

struct FilterOperatorToken {
  FilterOperator op = FilterOperator::none;
  bool negated = false;
  std::size_t length = 0;
};

/// Returns the operator at the start of `text`. "::" is part of a name, not an operator.
[[nodiscard]] FilterOperatorToken filter_operator_at(std::string_view text);

/// Returns the field with that name (case-insensitive), or nullptr.
[[nodiscard]] const FilterFieldInfo* find_filter_field(std::string_view word);
/// Returns a field name at most two edits away from `word`, or "".
[[nodiscard]] std::string_view nearest_filter_field(std::string_view word);
/// Returns "name, cat, …".
[[nodiscard]] std::string filter_field_names();

[[nodiscard]] constexpr bool is_filter_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A value as written, with escapes in quoted strings resolved. `at` is its position.
struct FilterValue {
  std::string text;
  bool quoted = false;
  std::size_t at = 0;
};

/// Reads an expression from left to right. Keeps the first error.
class FilterCursor {
 public:
  explicit FilterCursor(std::string_view text) : text_(text) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return text_[at_]; }
  [[nodiscard]] bool next_is(char c) const { return !at_end() && peek() == c; }

  /// Returns the position of the first non-space at or after `at`.
  [[nodiscard]] std::size_t after_spaces(std::size_t at) const;
  void skip_spaces() { at_ = after_spaces(at_); }
  /// Moves to `at` and skips spaces.
  void move_to(std::size_t at) { at_ = after_spaces(at); }
  /// Returns the text from `at` to the next space, parenthesis or quote.
  [[nodiscard]] std::string_view word_at(std::size_t at) const;
  [[nodiscard]] std::string_view word() const { return word_at(at_); }
  [[nodiscard]] bool next_is_word(std::string_view keyword) const;
  bool take_word(std::string_view keyword);
  bool take(char c);
  /// Reads a quoted string or a word; in a list, a comma ends a word. Fails if a quote is not closed.
  [[nodiscard]] FilterValue take_value(bool in_list);

  void fail(std::size_t at, std::string what, std::string advice);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace warpscope
