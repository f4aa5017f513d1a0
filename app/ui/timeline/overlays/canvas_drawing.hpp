#pragma once
// Shapes shared by several overlays: lines, outlines of slices, notes in the corner.
#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::ui {

/// Draws a vertical line centered at `x`, in screen px.
void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color);

/// Outlines a box of the canvas. `at`: top left corner of the canvas on the screen.
void outline(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
             const scene::Box& box, float thickness, scene::Color color);

/// Draws a note in the lower right corner of the canvas.
void corner_note(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                 std::string_view words);

/// Returns the boxes of a slice: at most one in the pinned block and one below it. In canvas px, not clipped. None if
/// its time is not in memory.
[[nodiscard]] std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice);

}  // namespace warpscope::ui
