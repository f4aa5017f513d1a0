#pragma once
// The bar above charts and tables: what part of the profile they all look at. Ranges of time and steps are one
// restriction (a range), ranks and nodes another (ranks).
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/list_cursor.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/step_range.hpp"

namespace warpscope::ui {

class ScopeBar {
 public:
  enum class Part : std::uint8_t { none, time, steps, ranks, nodes };

  /// Lets the popup of a part open at the next draw(), if the profile has more than one of it.
  void open(Part part) { wanted_ = part; }
  /// One line of kControlHeight; true if the scope changed.
  bool draw(AppContext& app, const trace::Profile& profile);

  [[nodiscard]] const analysis::Scope& scope() const { return scope_; }
  [[nodiscard]] bool restricted() const { return scope_ != analysis::Scope(); }
  /// What it is restricted to: "steps 3 to 7 · ranks 0,3-5"; "" if it is not.
  [[nodiscard]] std::string text(const trace::Profile& profile) const;
  void clear();
  /// ns, absolute; cut to the profile's span.
  void set_range(const trace::Profile& profile, Interval range);
  /// The same, ns since the profile's begin.
  void set_range_since_begin(const trace::Profile& profile, Interval range);
  void set_steps(const trace::Profile& profile, std::uint32_t first, std::uint32_t last);
  void set_ranks(const trace::Profile& profile, std::vector<std::uint32_t> ranks);
  /// Another profile of the same path: what it does not have is dropped.
  void profile_changed(const trace::Profile& profile);

 private:
  void opener(const AppContext& app, const char* popup, Part part, std::string_view what, std::string_view now,
              bool on);
  bool draw_time(AppContext& app, const trace::Profile& profile);
  bool draw_steps(AppContext& app, const trace::Profile& profile);
  bool draw_ranks(AppContext& app, const trace::Profile& profile);
  bool draw_nodes(AppContext& app, const trace::Profile& profile);

  void draw_problem(const AppContext& app) const;
  bool type_steps(const AppContext& app, const trace::Profile& profile);
  bool type_ranks(const AppContext& app, const trace::Profile& profile);
  /// Takes the rank, or lets go of it.
  void turn_rank(const trace::Profile& profile, std::uint32_t rank, bool on);

  analysis::Scope scope_;
  std::optional<analysis::StepRange> steps_;     // what scope_.range is of
  std::string from_, to_, steps_typed_, ranks_;  // as they are being written
  ListCursor line_;                              // of the popup that is open
  Part wanted_ = Part::none;
  std::string problem_;  // what is wrong with it
};

/// What the button of nodes says of the scope's ranks: "all 2", "algo-1", "2 of 3", "parts of 2" where no node is
/// whole.
[[nodiscard]] std::string nodes_text(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks);

/// "0,3-5": numbers of ranks in few words.
[[nodiscard]] std::string ranks_text(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks);

}  // namespace warpscope::ui
