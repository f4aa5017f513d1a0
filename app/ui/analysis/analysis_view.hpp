#pragma once
// Shows one analysis, with its description and parameters at the top and its chart and tables below. Shared by all
// pages that list analyses. Contains no analysis-specific code except for critical paths, which have their own view in
// the Timeline.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/analysis/parameter_fields.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/scope_bar.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

/// Display options for an analysis.
struct AnalysisLook {
  bool bare = false;                           ///< only the table: its title, note and rows, of the whole recording
  std::string title{};                         ///< "": the analysis' own
  std::vector<analysis::Setting> presets{};    ///< replace the analysis' presets
  std::vector<std::string_view> hidden{};      ///< parameters without a field
  std::string_view table{};                    ///< id of the table shown first; "": the main table
  float chart_share = 0.45f;                   ///< maximum fraction of the height for the chart
  std::function<void(float height)> beside{};  ///< draws next to the table, in a child window
  std::function<float()> beside_width{};       ///< its width, px at 1×; 0: nothing next to the table
};

class AnalysisView {
 public:
  /// `page`: page id, with which command ids start.
  AnalysisView(AppContext& app, std::string_view page);

  /// Adds commands for the current analysis.
  void add_commands(const CommandGroup& add);
  void show(const analysis::Analysis& analysis, AnalysisLook look = {});
  void profile_changed(AppContext& app);
  [[nodiscard]] bool busy() const { return results_.busy(); }
  /// Clears the first of these that is set: zoom, selected row, filter, scope. Returns false if there was nothing to
  /// clear.
  bool escape();
  void restrict_to(const trace::Profile& profile, Interval range) { scope_.set_range_since_begin(profile, range); }

  /// Fetches the latest result and draws it, filling the current window.
  void draw();

  [[nodiscard]] const analysis::Analysis& shown() const { return *shown_; }
  /// The tables of the analysis; null until computed.
  [[nodiscard]] const std::vector<Table>* tables() const;
  /// The displayed table, or null.
  [[nodiscard]] const Table* table() const;
  /// The displayed chart.
  [[nodiscard]] const plots::AnalysisDrawing& drawing() const { return drawing_; }
  /// Rows of the displayed table, in display order.
  [[nodiscard]] const std::vector<std::uint32_t>& shown_order() const { return table_view_.order(); }
  [[nodiscard]] const std::optional<std::size_t>& chosen() const { return chosen_; }
  [[nodiscard]] const analysis::Scope& scope() const { return scope_.scope(); }
  /// Identifies the displayed result and table; changes when either changes.
  [[nodiscard]] const std::string& table_of() const { return table_of_; }

  /// Shows only rows that contain all of these words; in a tree, also shows their callers.
  void filter(std::string_view words);
  [[nodiscard]] const std::string& filtered_by() const { return filter_; }
  /// Moves the selection down by `by` rows; selects the first row if none is selected.
  void move_row(int by);
  void show_part(std::size_t part);
  /// Shows the next (+1) or previous (-1) table.
  void turn_part(int by);
  /// Shows the selected row's location in the Timeline.
  void follow_chosen();
  void copy_csv();
  /// Returns SQL for the displayed table, with its parameters and scope.
  [[nodiscard]] std::string as_sql() const;

  void write_state(JsonWriter& writer) const;

 private:
  void take();
  [[nodiscard]] plots::AnalysisDrawing plot() const;
  /// Returns the parameters as set by the fields, the page and the user's settings.
  [[nodiscard]] std::vector<analysis::Setting> settings() const;
  [[nodiscard]] bool can_follow(std::optional<std::size_t> row) const;
  /// Shows a row's location in the Timeline.
  void follow(std::size_t row);
  void choose(std::optional<std::size_t> row);
  /// Zooms the flame graph to a row's box, or to the whole chart if nullopt.
  void zoom(std::optional<std::size_t> row);
  void draw_head(float width);
  void draw_parts(float width);
  void draw_filter(float width);
  void draw_answer(ImVec2 room);
  void draw_chart(const Table& table, ImVec2 size);
  void draw_table(const Table& table, float height);
  void draw_chart_menu();

  AppContext& app_;
  AnalysisResults results_;
  ParameterFields parameters_;
  ScopeBar scope_;
  const analysis::Analysis* shown_;
  AnalysisLook look_;
  std::string command_;  // prefix of its command ids
  std::string path_;     // of the current profile

  std::shared_ptr<const AnalysisAnswer> answer_;
  /// Index of the displayed table, keyed by analysis and AnalysisLook::table.
  std::map<std::pair<const analysis::Analysis*, std::string_view>, std::size_t> part_;
  plots::AnalysisDrawing drawing_;
  std::string made_of_;   // key of the inputs of drawing_
  std::string table_of_;  // key of the inputs of table_view_
  bool has_bars_ = false;
  std::optional<std::pair<std::size_t, SortOrder>> drawn_sorted_;  // sort order of the table used by drawing_
  ChartView chart_;
  TableView table_view_;
  std::optional<std::size_t> chosen_;  // selected row of the table
  std::optional<std::size_t> zoomed_;  // row whose box fills the flame graph
  std::string filter_;
  bool scroll_ = false;  // to the selected row
};

}  // namespace warpscope::ui
