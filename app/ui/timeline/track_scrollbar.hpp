#pragma once
// The thin bar at the right of the canvas that says which part of the tracks is in view.
#include <imgui.h>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class TrackScrollbar {
 public:
  static constexpr float kWidth = 10;  ///< grid px

  /// Takes the mouse; call before the canvas does. `at`, `size`: the canvas'. Nothing where all tracks fit.
  void interact(const AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Draws it; call after the canvas.
  void draw(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size) const;

 private:
  bool hot_ = false;
  double grabbed_scroll_ = 0;
};

}  // namespace warpscope::ui
