#pragma once
// The list beside the editor: the user's queries, the recipes, and the tables and analyses with their columns.
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/query/query_files.hpp"
#include "app/ui/query/query_runner.hpp"

namespace warpscope::ui {

class QueryList {
 public:
  struct Actions {
    std::function<void(const NamedQuery&)> open;
    std::function<void(const NamedQuery&)> remove;
    std::function<void(std::string name)> insert;
    std::function<void(const SchemaTable&)> show_rows;
  };
  explicit QueryList(Actions actions) : actions_(std::move(actions)) {}

  /// Lists only what contains all of these words.
  void filter(std::string_view words) { words_ = words; }
  [[nodiscard]] std::size_t matches() const { return matches_; }
  /// Fills the current window. `open`: text of the query in the editor.
  void draw(const AppContext& app, const QueryFiles& files, QueryRunner& runner, std::string_view open);

 private:
  struct Line;
  enum class Hit { none, name, arrow, menu };

  Hit draw_line(const AppContext& app, const Line& line);
  bool heading(const AppContext& app, std::string_view group);
  void draw_query(const AppContext& app, const NamedQuery& query, std::string_view open);
  void draw_table(const AppContext& app, const SchemaTable& table, QueryRunner& runner);
  void draw_columns(const AppContext& app, const SchemaTable& table, QueryRunner& runner);

  Actions actions_;
  std::string words_;
  std::size_t matches_ = 0;
  std::set<std::string, std::less<>> expanded_;  // tables
  std::set<std::string, std::less<>> folded_;    // headings
};

}  // namespace warpscope::ui
