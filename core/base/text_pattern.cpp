#include "core/base/text_pattern.hpp"

#include <array>
#include <cstring>

namespace warpscope {

namespace {

constexpr std::array<char, 256> kLower = [] {
  std::array<char, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = static_cast<char>(static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
  return table;
}();

char folded(char c) { return kLower[static_cast<unsigned char>(c)]; }

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = folded(c);
  return out;
}

bool stands_at(std::string_view text, std::size_t at, std::string_view piece) {
  if (text.size() - at < piece.size()) return false;
  for (std::size_t i = 0; i < piece.size(); ++i)
    if (folded(text[at + i]) != piece[i]) return false;
  return true;
}

std::size_t find_from(std::string_view text, std::size_t at, std::string_view piece) {
  if (piece.empty()) return at;
  for (; text.size() - at >= piece.size(); ++at)
    if (folded(text[at]) == piece[0] && stands_at(text, at, piece)) return at;
  return std::string_view::npos;
}

std::vector<std::string> split_at_stars(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const std::size_t star = text.find('*');
    pieces.push_back(folded(text.substr(0, star)));
    if (star == std::string_view::npos) return pieces;
    text.remove_prefix(star + 1);
  }
}

}  // namespace

TextPattern TextPattern::contains(std::string_view text, Stars stars) {
  TextPattern pattern;
  pattern.pieces_ = stars == Stars::wild ? split_at_stars(text) : std::vector{folded(text)};
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
    if (!stands_at(text, 0, pieces_.front())) return false;
    text.remove_prefix(pieces_.front().size());
    ++first;
  }
  if (to_end_ && first < last) {
    const std::string& end = pieces_.back();
    if (text.size() < end.size() || !stands_at(text, text.size() - end.size(), end)) return false;
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
    std::string_view one = list.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (!one.empty()) patterns.push_back(TextPattern::whole(one));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return patterns;
}

}  // namespace warpscope
