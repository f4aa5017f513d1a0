#pragma once
// The Analysis page: a list of all registered analyses on the left; on the right, description and parameters above,
// chart and tables below. The page has no code for specific analyses, so a new one appears as soon as it is registered.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/analysis/answer_lines.hpp"
#include "app/ui/analysis/parameter_fields.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/chart_export.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/scope_bar.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

class AnalysisPage final : public Page, private Searcher {
 public:
  explicit AnalysisPage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override;
  [[nodiscard]] bool busy() const override { return results_.busy() || save_.busy(); }
  bool escape(AppContext& app) override;
  bool restrict_to(const trace::Profile& profile, Interval range) override {
    scope_.set_range_since_begin(profile, range);
    return true;
  }
  [[nodiscard]] Searcher* searcher() override { return this; }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override;

  /// The shown analysis.
  [[nodiscard]] const analysis::Analysis& shown() const;
  /// Its tables; null until there are any.
  [[nodiscard]] const std::vector<Table>* tables() const;
  /// The shown chart, and the rows of its table in the order of the table view.
  [[nodiscard]] const plots::AnalysisDrawing& drawing() const { return drawing_; }
  /// The sentences shown instead of a table, if any.
  [[nodiscard]] const AnswerLines& answers() const { return answers_; }
  [[nodiscard]] const std::vector<std::uint32_t>& shown_order() const { return table_view_.order(); }

 private:
  // Find field: lists only analyses that match all words, matches in the title first.
  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override;
  [[nodiscard]] std::string_view hint() const override { return "Find an analysis…"; }

  void add_commands();
  void show(std::size_t index);
  void show_part(std::size_t part);
  void move(int by);
  /// Registry indices of the analyses matching the find field: matches in the title first, then those in the
  /// description only.
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] bool titled(std::size_t index) const;
  [[nodiscard]] const Table* table() const;
  void take();
  void copy_csv();
  /// Parameters from the page's fields and the user's settings.
  [[nodiscard]] std::vector<analysis::Setting> settings() const;
  /// True if the rows are of critical paths.
  [[nodiscard]] bool leads_to_path() const;
  [[nodiscard]] bool can_follow(std::optional<std::size_t> row) const;
  /// Shows the target of a row in the Timeline.
  void follow(std::size_t row);
  /// Goes to the place of a row; false if columns that it needs are not in memory.
  bool try_follow(std::size_t row);
  /// `menu`: draws a menu, for narrow windows.
  void draw_list(float width, bool menu);
  void draw_head(float width);
  void draw_parts(float width);
  void draw_answer(ImVec2 room);
  void draw_chart(const Table& table, ImVec2 size);
  void draw_table(const Table& table, float height);
  void draw_chart_menu();
  void ask_picture();
  void save_picture(const std::filesystem::path& path);

  AppContext& app_;
  AnalysisResults results_;
  ParameterFields parameters_;
  ScopeBar scope_;
  std::size_t shown_ = 0;  // index in the registry
  std::string query_;
  std::string path_;  // of the shown profile

  std::shared_ptr<const AnalysisAnswer> answer_;
  std::map<std::size_t, std::size_t> part_;  // analysis → index of the shown table
  plots::AnalysisDrawing drawing_;
  std::string made_of_;                                            // key of the inputs of drawing_ and table_view_
  std::optional<std::pair<std::size_t, SortOrder>> drawn_sorted_;  // sort order of the table used by drawing_
  ChartView chart_;
  charts::Scale time_;  // of the last drawn curves
  TableView table_view_;
  AnswerLines answers_;  // drawn instead of a table of sentences
  FigureSaver save_{"##save-chart"};
  std::optional<std::size_t> chosen_;  // selected row of the table
};

}  // namespace warpscope::ui
