#pragma once
// The line above every page: what is open, how much it is, the find field, diagnostics, and how far a load is.
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class Searcher;

class TopBar {
 public:
  static constexpr float kHeight = 40;  ///< px at scale 1

  /// Fills the window that is open. `searcher`: of the page shown, or null.
  void draw(AppContext& context, Searcher* searcher);

  void focus_find() { focus_ = true; }
  void clear_find(Searcher* searcher);
  [[nodiscard]] const std::string& query() const { return query_; }
  /// The find field has the keyboard.
  [[nodiscard]] bool finding() const { return finding_; }

 private:
  void draw_profile(AppContext& context);
  void draw_facts(const AppContext& context, float right);
  void draw_find(AppContext& context, Searcher& searcher, float right);
  void draw_chips(const AppContext& context, Searcher& searcher, float right);
  void draw_notes(AppContext& context, float x) const;
  [[nodiscard]] float notes_width(const AppContext& context) const;
  void draw_status(AppContext& context, float right);
  [[nodiscard]] float status_width(const AppContext& context) const;

  std::string query_;
  bool focus_ = false;
  bool finding_ = false;
  int step_wanted_ = 0;  // Enter came before the first hit did
};

/// "2 nodes · 16 GPUs · 41.2 s"; empty if nothing is open.
[[nodiscard]] std::string profile_facts(const AppContext& context);

}  // namespace warpscope::ui
