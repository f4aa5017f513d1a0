#pragma once
// The find field of the top bar: what is looked for on the page that is shown, how much of it there is, the way to the
// next and the previous of it, and the filters that were made of it. Each page that can be searched keeps its query.
#include <map>
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class Searcher;

class FindField {
 public:
  static constexpr float kHeight = 28;       ///< px at scale 1
  static constexpr float kLeastWidth = 344;  ///< the same, with all that is behind it

  /// In the bar that is open, from the cursor to `right` (px). `searcher`: of the page shown; null: nothing is drawn.
  void draw(AppContext& context, Searcher* searcher, float right);

  void focus() { focus_ = true; }
  void clear(Searcher* searcher);
  /// True if filters leave nothing of what the query finds.
  [[nodiscard]] bool filtered_out(const Searcher* searcher) const;
  [[nodiscard]] const std::string& query() const { return query_; }
  /// It has the keyboard.
  [[nodiscard]] bool active() const { return finding_; }

 private:
  void draw_field(AppContext& context, Searcher& searcher, float right);
  void draw_chips(const AppContext& context, Searcher& searcher, float right);
  void draw_filtered_out(AppContext& context, Searcher& searcher, float right);
  void bind(Searcher* searcher);

  std::string query_;                               // of the page that was shown last and can be searched
  std::map<const Searcher*, std::string> queries_;  // of the others
  const Searcher* bound_ = nullptr;
  bool focus_ = false;
  bool finding_ = false;
  int step_wanted_ = 0;  // Enter came before the first hit did
};

}  // namespace warpscope::ui
