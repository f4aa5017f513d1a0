#pragma once
// A core Table on the screen: sortable by a click on a header, figures right and in the mono face with the unit in the
// header, virtual (a million rows cost what is in view), copied as CSV. Holds only how it is looked at.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/base/table_format.hpp"
#include "render/plots/name_labels.hpp"

namespace warpscope::ui {

class TableView {
 public:
  struct Options {
    std::function<void(std::size_t row)> clicked{};     ///< a row, index in the table
    std::function<std::string(std::size_t row)> tip{};  ///< tooltip of a row
    std::function<void(std::size_t row)> double_clicked{};
    std::function<void(std::size_t row)> menu{};  ///< further items in the menu of a right click on a row
    std::optional<std::size_t> chosen{};          ///< a row that is marked, index in the table
    bool scroll_to_chosen = false;                ///< in this frame
  };

  /// Shows another table: formats and order are made anew. `unsorted`: the order while no column is sorted by, of all
  /// rows; empty: the table's own. O(rows log rows).
  void set_table(const Table& table, std::vector<std::uint32_t> unsorted = {});
  /// The column that takes what the others leave: the one with the longest text; other texts are as wide as they need,
  /// within limits. The number of columns if none has text.
  [[nodiscard]] std::size_t stretching() const { return stretching_; }
  /// The column that the user sorts by.
  [[nodiscard]] const std::optional<std::pair<std::size_t, SortOrder>>& sorted() const { return sorted_; }
  /// The rows as they are shown.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// How figures look from now on; made anew only if it is another style.
  void set_style(const Table& table, const FigureStyle& style);
  /// Takes what is left of the window, `height` px high (0: all). `table` is the one given to set_table.
  void draw(const AppContext& app, const char* id, const Table& table, const Options& options, float height = 0);

 private:
  void make_order(const Table& table);
  [[nodiscard]] std::string shown_text(std::size_t column, const Cell& cell) const;
  void draw_menu(const AppContext& app, const Table& table, const Options& options);

  FigureStyle style_;
  std::vector<ColumnFormat> formats_;
  std::vector<std::optional<plots::NameLabels>> labels_;  // of columns of kernels
  std::size_t stretching_ = 0;
  std::vector<std::string> longest_;  // cell of a column, of its first rows
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> unsorted_;
  std::optional<std::pair<std::size_t, SortOrder>> sorted_;
  std::size_t menu_row_ = 0;     // of the last right click
  std::size_t menu_column_ = 0;  // likewise
};

}  // namespace warpscope::ui
