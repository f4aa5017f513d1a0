#pragma once
// The Query page: SQL on the profile and its analyses, with the schema and named queries beside the editor and the
// result below it. See core/sql for the database.
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"
#include "app/ui/query/query_files.hpp"
#include "app/ui/query/query_list.hpp"
#include "app/ui/query/query_runner.hpp"
#include "app/ui/query/result_view.hpp"
#include "app/ui/query/sql_editor.hpp"
#include "app/ui/widgets/list_cursor.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

class QueryPage final : public Page, private Searcher {
 public:
  explicit QueryPage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override;
  [[nodiscard]] bool busy() const override { return runner_.busy() || files_.busy(); }
  bool escape(AppContext& app) override;
  [[nodiscard]] Searcher* searcher() override { return this; }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override;

  /// Runs the text in the editor.
  void run();
  /// Replaces the text in the editor, which goes to the history, and runs it.
  void run_text(std::string text);

  /// Why the last query failed.
  [[nodiscard]] const Failure& failure() const { return failure_; }
  [[nodiscard]] SqlEditor& editor() { return editor_; }
  [[nodiscard]] ResultView& result() { return result_; }
  [[nodiscard]] QueryFiles& files() { return files_; }
  [[nodiscard]] QueryRunner& runner() { return runner_; }

 private:
  // Filters the list beside the editor.
  void search(std::string_view query) override { list_.filter(query); }
  [[nodiscard]] SearchStatus status() const override { return {.count = list_.matches(), .error = {}}; }
  void step(int /*direction*/) override {}
  [[nodiscard]] std::string_view hint() const override { return "Find a table, column or query…"; }

  static constexpr const char* kSavePopup = "##save-query";
  static constexpr const char* kHistoryPopup = "##query-history";
  static constexpr const char* kListPopup = "##query-list";

  void add_commands();
  void update();
  /// Shows the first recipe or the last query of an earlier session.
  void begin();
  void replace_text(std::string text);
  void stop();
  void turn_query(int by);
  void turn_history(int by);
  void save(const std::string& text);
  void report(const Failure& failure);

  void draw_list(ImVec2 size);
  void draw_tools(bool narrow);
  void draw_error(float width);
  void draw_result(ImVec2 size);
  void draw_save();
  void draw_history();

  AppContext& app_;
  QueryFiles files_;
  QueryRunner runner_;
  QueryList list_;
  SqlEditor editor_;
  ResultView result_;
  Failure failure_;
  std::optional<NamedQuery> removing_;
  bool begun_ = false;
  bool stopped_ = false;
  std::size_t history_at_ = 0;  // 0: the text that is not in the history yet
  std::string draft_;
  std::string_view opening_;  // popup to open with the next frame
  ImVec2 popup_at_{};         // below the button of the open popup
  std::string title_;         // being typed
  ListCursor cursor_;         // of the history
  Splitter edge_;
};

}  // namespace warpscope::ui
