#pragma once
// The thin scrollbar to the right of the canvas.
#include <imgui.h>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class TrackScrollbar {
 public:
  static constexpr float kWidth = 10;  ///< grid px

  /// Handles mouse input; call before the canvas handles it. `at`, `size`: the canvas's position and size. No-op if all
  /// tracks fit.
  void interact(const AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Draws the bar; call after the canvas.
  void draw(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size) const;

 private:
  bool hot_ = false;
  double grabbed_scroll_ = 0;
};

}  // namespace warpscope::ui
