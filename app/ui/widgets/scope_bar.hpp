#pragma once
// The bar above charts and tables that sets their scope. Choosing a time range or steps sets the scope's time range;
// choosing ranks sets its ranks.
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/list_cursor.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/step_range.hpp"

namespace warpscope::ui {

class ScopeBar {
 public:
  enum class Part : std::uint8_t { none, time, steps, ranks };

  /// Opens the popup for a part of the scope on the next draw(), if the profile has anything to choose from.
  void open(Part part) { wanted_ = part; }
  /// Draws the bar, kControlHeight tall. Returns true if the scope changed.
  bool draw(AppContext& app, const trace::Profile& profile);

  [[nodiscard]] const analysis::Scope& scope() const { return scope_; }
  /// True if it is not the initial scope: the evaluated steps of all ranks.
  [[nodiscard]] bool restricted() const { return scope_ != kInitial; }
  /// Returns the scope as text: "steps 3 to 7 · ranks 0,3-5"; "" for the initial one.
  [[nodiscard]] std::string text(const trace::Profile& profile) const;
  void clear();
  /// Sets the time to the whole recording, or only the evaluated steps.
  void set_whole();
  void set_evaluated();
  /// Sets the time range (ns, absolute), clipped to the profile's span.
  void set_range(const trace::Profile& profile, Interval range);
  /// Sets the time range in ns since the start of the profile.
  void set_range_since_begin(const trace::Profile& profile, Interval range);
  void set_steps(const trace::Profile& profile, std::uint32_t first, std::uint32_t last);
  void set_ranks(const trace::Profile& profile, std::vector<std::uint32_t> ranks);
  /// Call when a path's profile is replaced by a newer one; removes choices that no longer exist.
  void profile_changed(const trace::Profile& profile);

 private:
  void opener(const AppContext& app, const char* popup, Part part, std::string_view what, std::string_view now,
              bool on);
  bool draw_time(AppContext& app, const trace::Profile& profile);
  bool draw_steps(AppContext& app, const trace::Profile& profile);
  bool draw_ranks(AppContext& app, const trace::Profile& profile);

  bool begin_list(const char* popup, std::size_t lines);
  template <class Draw>
  void draw_list(const AppContext& app, std::size_t lines, Draw draw);
  std::optional<std::string> type(const AppContext& app, std::string& typed, const std::string& now,
                                  std::string_view hint);
  void draw_problem(const AppContext& app) const;
  bool type_steps(const AppContext& app, const trace::Profile& profile);
  bool type_ranks(const AppContext& app, const trace::Profile& profile);
  /// Adds or removes the rank.
  void turn_rank(const trace::Profile& profile, std::uint32_t rank, bool on);

  static inline const analysis::Scope kInitial{.ranks = {}, .range = {}, .evaluated_only = true};

  analysis::Scope scope_ = kInitial;
  std::optional<analysis::StepRange> steps_;     // steps of scope_.range
  std::string from_, to_, steps_typed_, ranks_;  // text being typed
  ListCursor line_;                              // of the open popup
  Part wanted_ = Part::none;
  std::string problem_;  // error in the typed text
};

/// Returns a compact list of rank numbers: "0,3-5".
[[nodiscard]] std::string ranks_text(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks);

}  // namespace warpscope::ui
