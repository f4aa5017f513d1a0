#pragma once
// Shows a core Table: sorts on header clicks, right-aligns numbers in the mono font with the unit in the header, draws
// bars for shares, expands and collapses the rows of a tree, draws only visible rows (so a million rows are cheap), and
// copies CSV. Stores only view state, no data.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/row_order.hpp"
#include "core/base/table_format.hpp"
#include "render/plots/name_labels.hpp"

namespace warpscope::ui {

class TableView {
 public:
  struct Options {
    std::function<void(std::size_t row)> clicked{};     ///< row index in the table
    std::function<std::string(std::size_t row)> tip{};  ///< tooltip of a row
    std::function<void(std::size_t row)> double_clicked{};
    std::function<void(std::size_t row)> menu{};  ///< additional items for a row's context menu
    std::optional<std::size_t> chosen{};          ///< selected row; row index in the table
    bool scroll_to_chosen = false;                ///< in this frame
  };

  /// Returns options for rows that can be selected and shown in the Timeline. `chosen` and the functions are used until
  /// draw() returns; `scroll` is reset.
  [[nodiscard]] static Options followed_rows(std::optional<std::size_t>& chosen, bool& scroll,
                                             std::function<bool(std::size_t row)> can_follow,
                                             std::function<void(std::size_t row)> follow);

  /// Shows another table and resets column formats and row order. `unsorted`: order of all rows while no sort column is
  /// chosen; empty: table order. O(rows log rows).
  void set_table(const Table& table, std::vector<std::uint32_t> unsorted = {});
  /// Shows column names as they are, such as those of SQL, instead of in sentence case.
  void keep_names() { names_as_they_are_ = true; }
  /// Returns the column that gets the remaining width: the text column with the longest text. Other text columns get
  /// the width they need, within limits. Returns the number of columns if there is no text column.
  [[nodiscard]] std::size_t stretching() const { return stretching_; }
  /// Returns the sort column chosen by the user.
  [[nodiscard]] const std::optional<std::pair<std::size_t, SortOrder>>& sorted() const { return rows_.sorted(); }
  /// Sorts by the next column on the next draw(); after the last column, clears the sort order. For the keyboard.
  void sort_next() { sorts_next_ = true; }
  /// Returns the row indices in display order.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return rows_.rows(); }
  /// Returns the sort order, the filter, and the expanded rows of a tree.
  [[nodiscard]] RowOrder& rows() { return rows_; }
  [[nodiscard]] const RowOrder& rows() const { return rows_; }
  /// Draws the table at full width and `height` px tall (0: all remaining space). `table` must be the table passed to
  /// set_table().
  void draw(const AppContext& app, const char* id, const Table& table, const Options& options, float height = 0);

 private:
  void measure(const Table& table);
  bool names_as_they_are_ = false;
  /// Returns the width of a tree's deepest indentation, including the arrow.
  [[nodiscard]] float tree_room(const AppContext& app) const;
  [[nodiscard]] std::string shown_text(std::size_t column, const Cell& cell) const;
  void draw_columns(const Table& table, const std::vector<float>& widths);
  void draw_row(const AppContext& app, const Table& table, const Options& options, std::size_t row, bool& menu);
  /// Draws a tree row's expand arrow and indents its first text cell.
  void draw_arrow(const AppContext& app, std::size_t row);
  void draw_menu(const AppContext& app, const Table& table, const Options& options);

  std::vector<ColumnFormat> formats_;
  std::vector<std::optional<plots::NameLabels>> labels_;  // for columns of kernel names
  std::size_t stretching_ = 0;
  std::vector<std::string> longest_;  // longest cell per column, among the first rows
  float deepest_ = 0;                 // greatest depth of these rows in a tree
  RowOrder rows_;
  bool sorts_next_ = false;
  std::optional<std::size_t> toggled_;  // row to expand or collapse after this frame
  std::size_t menu_row_ = 0;            // of the last right click
  std::size_t menu_column_ = 0;         // same
};

}  // namespace warpscope::ui
