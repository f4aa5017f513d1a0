#pragma once
// The top bar's find field: the query, the match count, next and previous buttons, and filters created from queries.
// Each searchable page keeps its own query.
#include <map>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class Searcher;

class FindField {
 public:
  static constexpr float kHeight = 28;       ///< px at scale 1
  static constexpr float kLeastWidth = 344;  ///< field with all its buttons

  /// Draws into the current bar, from the cursor to `right` (px). `searcher`: the current page's searcher; draws
  /// nothing if null.
  void draw(AppContext& context, Searcher* searcher, float right);

  void focus() { focus_ = true; }
  void clear(Searcher* searcher);
  [[nodiscard]] const std::string& query() const { return query_; }
  /// True while the field has keyboard focus.
  [[nodiscard]] bool active() const { return finding_; }

 private:
  void draw_field(AppContext& context, Searcher& searcher, float right);
  void draw_chips(const AppContext& context, Searcher& searcher, float right);
  void bind(Searcher* searcher);

  std::string query_;                               // of the last searchable page shown
  std::map<const Searcher*, std::string> queries_;  // of the other pages
  const Searcher* bound_ = nullptr;
  bool focus_ = false;
  bool finding_ = false;
  int step_wanted_ = 0;  // Enter was pressed before the first match was found
};

}  // namespace warpscope::ui
