#pragma once
// The rows shown in a table view, filtered by words and sorted by a column. In a tree, the descendants of collapsed
// rows are omitted. Sorting a tree sorts the children of each row, so callees stay below their caller. Contains no
// drawing code.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::ui {

class RowOrder {
 public:
  /// A tree is a table with a `depth` role column and rows in depth-first order. `unsorted`: order of all rows while no
  /// sort column is chosen; empty: table order. Keeps the sort order and filter. O(rows log rows).
  void set_table(const Table& table, std::vector<std::uint32_t> unsorted = {});
  void sort(const Table& table, std::optional<std::pair<std::size_t, SortOrder>> by);
  /// Lists only rows whose text contains all of these words, ignoring case; in a tree, also their callers. Collapsed
  /// rows are treated as expanded while a filter is set.
  void filter(const Table& table, std::string_view words);

  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  [[nodiscard]] const std::optional<std::pair<std::size_t, SortOrder>>& sorted() const { return sorted_; }
  [[nodiscard]] const std::string& filtered_by() const { return words_; }
  /// Returns the number of rows that match the filter, excluding their callers.
  [[nodiscard]] std::size_t matches() const { return matches_; }
  /// True if the row itself matches, or there is no filter.
  [[nodiscard]] bool matches(std::size_t row) const { return words_.empty() || matching_[row] != 0; }

  [[nodiscard]] bool is_tree() const { return !parent_.empty(); }
  [[nodiscard]] std::uint32_t depth(std::size_t row) const { return is_tree() ? depth_[row] : 0; }
  [[nodiscard]] bool has_children(std::size_t row) const { return is_tree() && children_[row] != 0; }
  [[nodiscard]] bool expanded(std::size_t row) const { return !is_tree() || !words_.empty() || collapsed_[row] == 0; }
  void expand(const Table& table, std::size_t row, bool on);
  void expand_all(const Table& table, bool on);
  /// Expands a row's callers to make the row visible.
  void reveal(const Table& table, std::size_t row);

 private:
  void read_tree(const Table& table);
  void match(const Table& table);
  void list(const Table& table);

  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> unsorted_;
  std::optional<std::pair<std::size_t, SortOrder>> sorted_;
  std::string words_;
  std::vector<char> matching_;  // by row; empty without words
  std::vector<char> kept_;      // matching rows and their callers
  std::size_t matches_ = 0;
  std::vector<std::uint32_t> parent_;  // by row; a root is its own parent. Empty: not a tree
  std::vector<std::uint32_t> depth_;
  std::vector<char> children_;
  std::vector<char> collapsed_;
};

}  // namespace warpscope::ui
