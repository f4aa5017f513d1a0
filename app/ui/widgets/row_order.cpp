#include "app/ui/widgets/row_order.hpp"

#include <algorithm>
#include <numeric>

#include "app/ui/model/has_words.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kRowsAtFirst = 60;  // of a tree, before the user expands any row

}  // namespace

void RowOrder::set_table(const Table& table, std::vector<std::uint32_t> unsorted) {
  unsorted_ = std::move(unsorted);
  if (sorted_ && sorted_->first >= table.columns().size()) sorted_.reset();
  read_tree(table);
  match(table);
  list(table);
}

void RowOrder::sort(const Table& table, std::optional<std::pair<std::size_t, SortOrder>> by) {
  sorted_ = by;
  list(table);
}

void RowOrder::filter(const Table& table, std::string_view words) {
  if (words == words_) return;
  words_ = words;
  match(table);
  list(table);
}

void RowOrder::read_tree(const Table& table) {
  const auto column = table.find_role(ColumnRole::depth);
  const auto rows = static_cast<std::uint32_t>(table.rows());
  parent_.clear();
  depth_.clear();
  children_.clear();
  collapsed_.clear();
  if (!column || rows == 0) return;
  std::vector<std::uint32_t> path;  // the latest row at each depth
  std::vector<std::size_t> at_depth;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::int64_t depth = table.at(row, *column).integer();
    if (depth < 0 || static_cast<std::size_t>(depth) > path.size()) {
      parent_.clear();
      return;
    }
    path.resize(static_cast<std::size_t>(depth));
    depth_.push_back(static_cast<std::uint32_t>(depth));
    parent_.push_back(path.empty() ? row : path.back());
    path.push_back(row);
    at_depth.resize(std::max(at_depth.size(), path.size()));
    ++at_depth[path.size() - 1];
  }
  children_.assign(rows, 0);
  for (std::uint32_t row = 0; row < rows; ++row)
    if (parent_[row] != row) children_[parent_[row]] = 1;
  // Initially expand as many levels as fit on the first page, at least two.
  std::size_t listed = 0;
  std::size_t levels = 0;
  while (levels < at_depth.size() && (levels < 2 || listed + at_depth[levels] <= kRowsAtFirst))
    listed += at_depth[levels++];
  collapsed_.assign(rows, 0);
  for (std::uint32_t row = 0; row < rows; ++row) collapsed_[row] = depth_[row] + 1 >= levels ? 1 : 0;
}

void RowOrder::match(const Table& table) {
  matching_.clear();
  kept_.clear();
  matches_ = table.rows();
  if (words_.empty()) return;
  matches_ = 0;
  matching_.assign(table.rows(), 0);
  std::string texts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    texts.clear();
    for (std::size_t column = 0; column < table.columns().size(); ++column)
      if (!is_figure(table.columns()[column].kind)) texts.append(table.at(row, column).text()).append(" ");
    matching_[row] = has_words(words_, texts) ? 1 : 0;
    matches_ += matching_[row] != 0 ? 1 : 0;
  }
  kept_ = matching_;
  // Callers come before their callees.
  for (std::size_t row = parent_.size(); row-- > 0;)
    if (kept_[row] != 0) kept_[parent_[row]] = 1;
}

void RowOrder::list(const Table& table) {
  std::vector<std::uint32_t> order;
  if (sorted_) {
    order = sorted_order(table, sorted_->first, sorted_->second);
  } else if (unsorted_.size() == table.rows()) {
    order = unsorted_;
  } else {
    order.resize(table.rows());
    std::iota(order.begin(), order.end(), 0u);
  }
  if (is_tree() && sorted_) {
    // The children of each row keep this order; a row is followed by all its descendants.
    constexpr auto kNone = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> first(order.size(), kNone);
    std::vector<std::uint32_t> next(order.size(), kNone);
    std::vector<std::uint32_t> open;
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t row = order[i];
      if (parent_[row] == row) continue;
      next[row] = first[parent_[row]];
      first[parent_[row]] = row;
    }
    std::vector<std::uint32_t> deep;
    deep.reserve(order.size());
    for (const std::uint32_t top : order) {
      if (parent_[top] != top) continue;
      open.assign(1, top);
      while (!open.empty()) {
        const std::uint32_t row = open.back();
        open.pop_back();
        if (next[row] != kNone) open.push_back(next[row]);
        deep.push_back(row);
        if (first[row] != kNone) open.push_back(first[row]);
      }
    }
    order = std::move(deep);
  }
  rows_.clear();
  std::vector<char> listed(is_tree() ? order.size() : 0, 0);
  for (const std::uint32_t row : order) {
    if (!words_.empty() && kept_[row] == 0) continue;
    if (is_tree()) {
      const std::uint32_t above = parent_[row];
      if (above != row && (listed[above] == 0 || !expanded(above))) continue;
      listed[row] = 1;
    }
    rows_.push_back(row);
  }
}

void RowOrder::expand(const Table& table, std::size_t row, bool on) {
  if (!has_children(row)) return;
  collapsed_[row] = on ? 0 : 1;
  list(table);
}

void RowOrder::expand_all(const Table& table, bool on) {
  std::ranges::fill(collapsed_, on ? 0 : 1);
  list(table);
}

void RowOrder::reveal(const Table& table, std::size_t row) {
  if (!is_tree() || row >= parent_.size()) return;
  bool changed = false;
  for (auto at = static_cast<std::uint32_t>(row); parent_[at] != at; at = parent_[at]) {
    changed = changed || collapsed_[parent_[at]] != 0;
    collapsed_[parent_[at]] = 0;
  }
  if (changed) list(table);
}

}  // namespace warpscope::ui
