#pragma once
// Draws the arrows of connections and critical paths.
#include <imgui.h>

#include "app/ui/app_context.hpp"
#include "render/scene/arrows.hpp"

namespace warpscope::ui {

struct ArrowLook {
  scene::Color color = 0;
  scene::Color casing = 0;  ///< outline color, for contrast with any slice; 0: none
  float thickness = 1;      ///< px at 1×, like the other lengths
  float head = 6;
  bool dot = false;  ///< draw a dot at the start if that is on a slice
  bool dashed = false;
};

/// `at`: top left corner of the canvas on the screen.
void draw_arrow(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::Arrow& arrow, const ArrowLook& look);

}  // namespace warpscope::ui
