#pragma once
// The result of a query: its table, and a chart of two of its columns. Rows lead to the Timeline by a slice, a time or
// a name that they contain.
#include <memory>
#include <optional>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/query/query_runner.hpp"
#include "app/ui/query/result_chart.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class ResultView {
 public:
  explicit ResultView(AppContext& app) : app_(app) {}

  /// Shows an answer without an error; null: none. Keeps the chart if the columns are the same.
  void show(std::shared_ptr<const QueryAnswer> answer);
  /// Draws the number of rows, the time and buttons in the rest of the line at the cursor.
  void draw_head();
  /// Fills the rest of the current window.
  void draw();

  [[nodiscard]] const Table* rows() const { return answer_ ? answer_->rows() : nullptr; }
  [[nodiscard]] const std::optional<std::size_t>& chosen() const { return chosen_; }
  [[nodiscard]] bool clear_chosen() { return std::exchange(chosen_, std::nullopt).has_value(); }
  void move_row(int by);
  void sort_next() { table_view_.sort_next(); }
  void copy_csv() const;
  [[nodiscard]] bool can_follow(std::optional<std::size_t> row) const;
  void follow(std::optional<std::size_t> row);
  /// Shows the next kind of chart that the columns allow.
  void turn_chart();
  void set_chart(ChartChoice choice);
  [[nodiscard]] const ChartChoice& chart() const { return choice_; }

  void write_state(JsonWriter& writer) const;

 private:
  [[nodiscard]] std::string summary() const;
  void update();
  void draw_choices(float width);
  void draw_column_choice(const char* id, std::string_view word, float width, std::size_t& column, bool value);
  void draw_chart(ImVec2 size);
  void draw_table(float height);

  AppContext& app_;
  std::shared_ptr<const QueryAnswer> answer_;
  TableView table_view_;
  ChartView chart_view_;
  ChartChoice choice_;
  ChartedResult charted_;
  bool made_ = false;  // charted_ is up to date
  scene::Theme made_for_ = scene::Theme::dark;
  std::optional<std::pair<std::size_t, SortOrder>> made_sorted_;
  std::optional<std::size_t> chosen_;
  bool scroll_ = false;
};

}  // namespace warpscope::ui
