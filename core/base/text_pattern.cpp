#include "core/base/text_pattern.hpp"

#include <algorithm>

#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope {

namespace {

constexpr auto kFold = [](char c) { return lower(c); };

/// `folded` must be lowercase.
bool is_folded(std::string_view text, std::string_view folded) { return std::ranges::equal(text, folded, {}, kFold); }

std::size_t find_from(std::string_view text, std::size_t at, std::string_view piece) {
  if (piece.empty()) return at;
  const std::string_view rest = text.substr(at);
  const auto found = std::ranges::search(rest, piece, {}, kFold);
  return found.empty() ? std::string_view::npos : at + static_cast<std::size_t>(found.begin() - rest.begin());
}

std::vector<std::string> split_at_stars(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const std::size_t star = text.find('*');
    pieces.push_back(lower(text.substr(0, star)));
    if (star == std::string_view::npos) return pieces;
    text.remove_prefix(star + 1);
  }
}

}  // namespace

TextPattern TextPattern::contains(std::string_view text, Stars stars) {
  TextPattern pattern;
  pattern.pieces_ = stars == Stars::wild ? split_at_stars(text) : std::vector{lower(text)};
  return pattern;
}

TextPattern TextPattern::whole(std::string_view text, Stars stars) {
  TextPattern pattern = contains(text, stars);
  pattern.from_begin_ = true;
  pattern.to_end_ = true;
  return pattern;
}

TextPattern TextPattern::exact(std::string_view text) {
  TextPattern pattern;
  pattern.pieces_ = {std::string(text)};
  pattern.exact_ = true;
  return pattern;
}

// Between the fixed ends, a greedy match suffices: placing each piece as early as possible leaves the most room for the
// rest.
bool TextPattern::matches(std::string_view text) const {
  if (exact_) return text == pieces_.front();
  std::size_t first = 0;
  std::size_t last = pieces_.size();
  if (from_begin_) {
    if (last == 1 && to_end_ && text.size() != pieces_.front().size()) return false;
    if (!is_folded(text.substr(0, pieces_.front().size()), pieces_.front())) return false;
    text.remove_prefix(pieces_.front().size());
    ++first;
  }
  if (to_end_ && first < last) {
    const std::string& end = pieces_.back();
    if (text.size() < end.size() || !is_folded(text.substr(text.size() - end.size()), end)) return false;
    text.remove_suffix(end.size());
    --last;
  }
  std::size_t at = 0;
  for (; first < last; ++first) {
    at = find_from(text, at, pieces_[first]);
    if (at == std::string_view::npos) return false;
    at += pieces_[first].size();
  }
  return true;
}

std::vector<TextPattern> parse_patterns(std::string_view list) {
  std::vector<TextPattern> patterns;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view one = trimmed(list.substr(0, comma));
    if (!one.empty()) patterns.push_back(TextPattern::whole(one));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return patterns;
}

}  // namespace warpscope
