#include "core/base/nearest_word.hpp"

#include <algorithm>
#include <vector>

#include "core/base/ascii.hpp"

namespace warpscope {

namespace {

/// Returns the Levenshtein distance between a and b (Wagner–Fischer algorithm).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

void NearestWord::consider(std::string_view candidate) {
  constexpr std::size_t kLongest = 80;  // the time grows with the square
  if (candidate.empty() || std::max(candidate.size(), mistyped_.size()) > kLongest) return;
  const std::size_t distance = edit_distance(mistyped_, candidate);
  if (distance >= least_ || distance >= mistyped_.size()) return;
  least_ = distance;
  nearest_ = candidate;
}

}  // namespace warpscope
