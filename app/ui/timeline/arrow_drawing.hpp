#pragma once
// How arrows look: those of connections and those of a critical path.
#include <imgui.h>

#include "app/ui/app_context.hpp"
#include "render/scene/arrows.hpp"

namespace warpscope::ui {

struct ArrowLook {
  scene::Color color = 0;
  scene::Color casing = 0;  ///< around it, so that it stands out on any slice; 0: none
  float thickness = 1;      ///< px at 1×, as the rest
  float head = 6;
  bool dot = false;  ///< where it begins, if it begins on a slice
  bool dashed = false;
};

/// `at`: the canvas' top left corner on the screen.
void draw_arrow(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::Arrow& arrow, const ArrowLook& look);

}  // namespace warpscope::ui
