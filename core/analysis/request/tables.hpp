#pragma once
// Helpers shared by the tables of several analyses.
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Returns `part` / `whole`; an empty cell if `whole` is not positive.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] Cell share_of(Number part, Number whole) {
  if (!(whole > 0)) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Numbers the rows of a tree that lists parents before children. In CSV, each row contains the number of its parent's
/// row.
class ParentRows {
 public:
  /// Takes the next row's depth and returns its parent's 1-based row number; an empty cell at the top level.
  [[nodiscard]] Cell next(std::size_t depth) {
    last_.resize(depth);
    const Cell parent = last_.empty() ? Cell() : Cell(last_.back());
    last_.push_back(++rows_);
    return parent;
  }

 private:
  std::vector<std::int64_t> last_;  // by depth above the next row: its last row
  std::int64_t rows_ = 0;
};
inline constexpr std::string_view kParentRow = "parent row";

/// Returns the nodes of a tree in depth-first order; the children of a node are sorted by `key`, largest first.
template <class Node, class Key>
[[nodiscard]] std::vector<std::uint32_t> depth_first(const std::vector<Node>& nodes, Key key) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> children;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) children[nodes[n].parent].push_back(n);
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> open;
  const auto open_below = [&](std::uint32_t parent) {
    std::vector<std::uint32_t>& below = children[parent];
    std::ranges::stable_sort(below, std::greater(), [&](std::uint32_t n) { return key(nodes[n]); });
    open.insert(open.end(), below.rbegin(), below.rend());
  };
  for (open_below(Node::kNone); !open.empty(); open_below(order.back())) {
    order.push_back(open.back());
    open.pop_back();
  }
  return order;
}

}  // namespace warpscope::analysis
