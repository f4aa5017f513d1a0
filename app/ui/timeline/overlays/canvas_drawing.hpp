#pragma once
// Shapes that several overlays draw: lines, outlines of slices, arrows of connections and critical paths, notes in the
// corner.
#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/arrows.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::ui {

/// A vertical line centered at `x`, in screen px.
void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color);

/// Outlines a box of the canvas. `at`: top left corner of the canvas on the screen.
void outline(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
             const scene::Box& box, float thickness, scene::Color color);

/// A note in the lower right corner of the canvas.
void corner_note(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                 std::string_view words);

struct ArrowLook {
  scene::Color color = 0;
  scene::Color casing = 0;  ///< outline color, so that it contrasts with any slice; 0: none
  float thickness = 1;      ///< px at 1×, like the other lengths
  float head = 6;
  bool dot = false;  ///< draws a dot at its start if that is on a slice
  bool dashed = false;
};

/// `at`: top left corner of the canvas on the screen.
void draw_arrow(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::Arrow& arrow, const ArrowLook& look);

/// Boxes of a slice: at most one in the pinned block and one below it. In canvas px, not clipped.
/// None if its time is not in memory.
[[nodiscard]] std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice);

}  // namespace warpscope::ui
