#pragma once
// Helpers shared by the tables of several analyses.
#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Returns `part` / `whole`; missing if the whole is not positive.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] Cell share_of(Number part, Number whole) {
  if (!(whole > 0)) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Numbers the rows of a tree, which lists parents before children: rows of CSV have the number of their parent's row.
class ParentRows {
 public:
  /// Takes the depth of the next row; returns the number of its parent's row, from 1, or missing at the top.
  [[nodiscard]] Cell next(std::size_t depth) {
    last_.resize(depth);
    const Cell parent = last_.empty() ? Cell() : Cell(last_.back());
    last_.push_back(++rows_);
    return parent;
  }

 private:
  std::vector<std::int64_t> last_;  // the last row of each depth above
  std::int64_t rows_ = 0;
};
inline constexpr std::string_view kParentRow = "parent row";

/// Parameter `k` of analyses that list the first k names and sum up all others in one row.
[[nodiscard]] constexpr Parameter top_parameter() {
  return integer_parameter("k", "number of kernels listed by name, 0 for all", "15", 0, 1e6);
}

}  // namespace warpscope::analysis
