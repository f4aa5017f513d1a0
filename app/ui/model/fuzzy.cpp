#include "app/ui/model/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

#include "core/base/ascii.hpp"

namespace warpscope::ui {
namespace {

constexpr int kLetter = 1;
constexpr int kWordStart = 8;
constexpr int kNeighbour = 8;
constexpr int kSkippedAtFront = 1;  // per byte, up to kMostSkipped: early matches win ties
constexpr int kMostSkipped = 3;
constexpr int kNone = std::numeric_limits<int>::min() / 2;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool starts_word(std::string_view text, std::size_t i) { return is_word(text[i]) && (i == 0 || !is_word(text[i - 1])); }

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text) {
  std::string letters;
  for (const char c : query) {
    if (c != ' ') letters += lower(c);
  }
  if (letters.empty()) return FuzzyMatch{};
  const std::size_t rows = letters.size();
  const std::size_t columns = text.size();
  if (rows > columns) return std::nullopt;

  // best[r][c]: score of letters [0, r] with letter r at column c; from[r][c]: column of letter r - 1 in that
  // alignment.
  std::vector<int> best(rows * columns, kNone);
  std::vector<std::size_t> from(rows * columns, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    int before = kNone;  // best of the previous row in columns < c - 1, and its column
    std::size_t before_at = 0;
    for (std::size_t c = r; c < columns; ++c) {
      if (r > 0 && c >= 2 && best[(r - 1) * columns + c - 2] > before) {
        before = best[(r - 1) * columns + c - 2];
        before_at = c - 2;
      }
      if (lower(text[c]) != letters[r]) continue;
      const int own = kLetter + (starts_word(text, c) ? kWordStart : 0);
      int score = kNone;
      if (r == 0) {
        score = own - std::min(kMostSkipped, static_cast<int>(c)) * kSkippedAtFront;
      } else {
        const int neighbour = best[(r - 1) * columns + c - 1] + kNeighbour;
        score = own + std::max(before, neighbour);
        from[r * columns + c] = neighbour >= before ? c - 1 : before_at;
      }
      if (score > kNone / 2) best[r * columns + c] = score;
    }
  }

  const auto last = best.begin() + static_cast<std::ptrdiff_t>((rows - 1) * columns);
  const auto top = std::max_element(last, best.end());
  if (*top <= kNone / 2) return std::nullopt;
  FuzzyMatch match{*top, std::vector<std::size_t>(rows)};
  std::size_t column = static_cast<std::size_t>(top - last);
  for (std::size_t r = rows; r-- > 0;) {
    match.positions[r] = column;
    column = from[r * columns + column];
  }
  return match;
}

bool has_words(std::string_view query, std::string_view text) {
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
