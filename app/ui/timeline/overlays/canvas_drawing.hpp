#pragma once
// Shapes shared by several overlays: lines, slice outlines, arrows for connections and critical paths, and corner
// notes.
#include <string_view>
#include <vector>

#include "app/ui/timeline/overlays/overlay.hpp"
#include "render/scene/arrows.hpp"

namespace warpscope::ui {

/// Draws a vertical line centered at `x`, in screen px.
void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color);

/// Outlines a box on the canvas.
void outline(const OverlayFrame& frame, const scene::Box& box, float thickness, scene::Color color);

/// Draws a note in the lower right corner of the canvas.
void corner_note(const OverlayFrame& frame, std::string_view words);

struct ArrowLook {
  scene::Color color = 0;
  scene::Color casing = 0;  ///< outline color, for contrast with any slice; 0: none
  float thickness = 1;      ///< px at 1×, like the other lengths
  float head = 6;
  bool dot = false;  ///< draw a dot at the start if it is on a slice
  bool dashed = false;
};

void draw_arrow(const OverlayFrame& frame, const scene::Arrow& arrow, const ArrowLook& look);

/// Returns the unclipped boxes of a slice, in canvas px: at most one in the pinned block and one below it. Empty if the
/// slice's time is not in memory.
[[nodiscard]] std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice);

}  // namespace warpscope::ui
