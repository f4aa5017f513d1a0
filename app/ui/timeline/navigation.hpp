#pragma once
// The keyboard's side of the timeline: every move as a command, so that keys, palette and help know it, and the motion
// of the keys that are held.
#include <functional>
#include <optional>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/animation.hpp"

namespace warpscope::ui {

/// What navigation does through the page, because more than the view follows from it.
struct NavigationHooks {
  std::function<void(trace::SliceRef)> go_to;  ///< selects and centres
  std::function<void()> clear;                 ///< what Esc clears
};

class Navigation {
 public:
  /// Adds the commands; they live as long as the table, so this and all it refers to must too.
  Navigation(AppContext& app, TimelineState& state, NavigationHooks hooks);
  Navigation(const Navigation&) = delete;
  Navigation& operator=(const Navigation&) = delete;

  /// Once a frame: moves by the held keys. `anchor_px`: the pointer on the canvas, if it is there. True while it moves.
  bool update(std::optional<double> anchor_px);

  /// Fits to what was marked last, selection or range; again: with its surroundings.
  void fit_marked();

 private:
  void add_motion();
  void add_views();
  void add_steps();
  void add_selection();
  void add_tracks();
  void tap(const scene::HeldKeys& keys);
  void unfold_all(bool open);
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
