#pragma once
// Keyboard navigation of the timeline: one command per move, so every move appears in the palette and the help, plus
// continuous motion while keys are held.
#include <functional>
#include <optional>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/animation.hpp"

namespace warpscope::ui {

/// Page actions triggered by navigation.
struct NavigationHooks {
  std::function<void(trace::SliceRef)> go_to;  ///< selects and centers a slice
  std::function<void()> clear;                 ///< clears selection and range
};

class Navigation {
 public:
  /// Adds the commands, which keep references to this object and the arguments. The command table must not outlive
  /// them.
  Navigation(AppContext& app, TimelineState& state, NavigationHooks hooks);
  Navigation(const Navigation&) = delete;
  Navigation& operator=(const Navigation&) = delete;

  /// Moves the view while keys are held; call once per frame. `anchor_px`: pointer position on the canvas, if any.
  /// Returns true while the view moves.
  bool update(std::optional<double> anchor_px);

  /// Fits the view to the selection or range, whichever is newer. Repeating the command shows the surroundings.
  void fit_marked();
  /// Fits the view to the selection as soon as its time is in memory. Repeating the command shows the surroundings.
  void fit_selection();

 private:
  void add_motion();
  void add_views();
  void add_steps();
  void add_selection();
  void add_tracks();
  void tap(const scene::HeldKeys& keys);
  void unfold_all(bool open);
  /// Calls `attempt` with the selection until it returns true (WhenLoaded).
  void with_selection(std::function<bool(const trace::Profile&, trace::SliceRef)> attempt);
  void select_neighbour(int direction);
  void follow_connection(int direction);
  [[nodiscard]] std::function<bool()> when_open() const;
  [[nodiscard]] std::function<bool()> when_selected() const;

  AppContext& app_;
  TimelineState& state_;
  NavigationHooks hooks_;
  scene::KeyDriver driver_;
  double anchor_ = -1;
  std::uint64_t seen_selection_ = 0;
  std::uint64_t seen_range_ = 0;
  bool range_is_latest_ = false;
};

}  // namespace warpscope::ui
