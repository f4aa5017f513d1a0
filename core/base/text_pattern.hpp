#pragma once
// What a text test of a filter looks for: a text, with `*` for any run of characters. Not regular expressions: the
// standard library's recurse on the length of the text, and kernel names of 10 kB with a hostile pattern would take the
// stack or the day. Upper and lower case are told apart by exact() only; folding is of ASCII letters.
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

class TextPattern {
 public:
  enum class Stars : bool { wild, literal };

  /// `text` occurs, in any case.
  [[nodiscard]] static TextPattern contains(std::string_view text, Stars stars = Stars::wild);
  /// The whole text is `text`, in any case ("cuda_*" is a prefix).
  [[nodiscard]] static TextPattern whole(std::string_view text, Stars stars = Stars::wild);
  /// The whole text is `text`, byte by byte.
  [[nodiscard]] static TextPattern exact(std::string_view text);

  /// O(length of text · length of pattern) at worst, near O(length of text) for names as they are.
  [[nodiscard]] bool matches(std::string_view text) const;

  friend bool operator==(const TextPattern&, const TextPattern&) = default;

 private:
  std::vector<std::string> pieces_;  // what stands between the stars, in lower case unless exact
  bool from_begin_ = false;          // the first piece stands at the begin
  bool to_end_ = false;              // the last piece stands at the end
  bool exact_ = false;
};

/// The patterns of a list separated by commas, each of the whole text; blanks around them do not count.
[[nodiscard]] std::vector<TextPattern> parse_patterns(std::string_view list);

}  // namespace warpscope
