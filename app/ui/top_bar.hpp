#pragma once
// The line above every page: what is open, how much it is, the find field, diagnostics, and how far a load is.
#include <map>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/loading.hpp"

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

  void bind(Searcher* searcher);

  std::string query_;                               // of the page that was shown last and can be searched
  std::map<const Searcher*, std::string> queries_;  // of the others
  const Searcher* bound_ = nullptr;
  bool focus_ = false;
  bool finding_ = false;
  int step_wanted_ = 0;  // Enter came before the first hit did
};

/// "2 nodes · 16 GPUs · 41.2 s", and how much of it there is if its load was stopped.
[[nodiscard]] std::string profile_facts(const trace::Profile& profile, const LoadProgress& progress);
/// The same of the current profile; empty if nothing is open.
[[nodiscard]] std::string profile_facts(const AppContext& context);

}  // namespace warpscope::ui
