#pragma once
// Text patterns for filters, in which `*` matches any sequence of characters. Patterns are not regular expressions:
// std::regex recurses over the text, so a pathological pattern on a 10 kB kernel name could overflow the stack or take
// hours. Only exact() is case-sensitive; the others ignore the case of ASCII letters.
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

class TextPattern {
 public:
  enum class Stars : bool { wild, literal };

  /// Matches names that contain `text`, ignoring case.
  [[nodiscard]] static TextPattern contains(std::string_view text, Stars stars = Stars::wild);
  /// Matches the whole text, ignoring case ("cuda_*" is a prefix).
  [[nodiscard]] static TextPattern whole(std::string_view text, Stars stars = Stars::wild);
  /// Matches the whole text byte by byte.
  [[nodiscard]] static TextPattern exact(std::string_view text);

  /// Worst case O(T · P) for text length T and pattern length P; close to O(T) for typical names.
  [[nodiscard]] bool matches(std::string_view text) const;

  friend bool operator==(const TextPattern&, const TextPattern&) = default;

 private:
  std::vector<std::string> pieces_;  // text between the stars, in lower case unless exact
  bool from_begin_ = false;          // the first piece must match at the start
  bool to_end_ = false;              // the last piece must match at the end
  bool exact_ = false;
};

/// Parses a comma-separated list of patterns, each of which matches the whole text. Ignores spaces around patterns.
[[nodiscard]] std::vector<TextPattern> parse_patterns(std::string_view list);

}  // namespace warpscope
