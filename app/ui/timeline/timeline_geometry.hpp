#pragma once
// Layout of the Timeline page for a window size and settings.
#include <imgui.h>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// Size limits of user-resizable parts, in grid px.
inline constexpr float kLeastLabels = 140;
inline constexpr float kMostLabels = 800;
inline constexpr float kLeastBottom = 96;
inline constexpr float kMostBottom = 2000;
inline constexpr float kZoomButton = 24;
inline constexpr int kZoomButtons = 3;

/// Positions and sizes of the parts, in screen px.
struct TimelineGeometry {
  ImVec2 overview, overview_size;
  ImVec2 filter, filter_size;
  ImVec2 steps, steps_size;
  ImVec2 ruler, ruler_size;
  ImVec2 zoom;  ///< row of kZoomButtons icons at the right of the ruler
  ImVec2 labels, labels_size;
  ImVec2 canvas, canvas_size;
  ImVec2 path, path_size;  ///< legend of the critical path
  ImVec2 legend, legend_size;
  ImVec2 bottom, bottom_size;
};

/// Divides the page (`size` px at `at`) into the strips at the top, labels, canvas, legends and bottom pane. `path`:
/// height of the critical path's legend; 0 without a path.
[[nodiscard]] TimelineGeometry lay_out(const AppContext& app, const trace::Profile* profile, ImVec2 at, ImVec2 size,
                                       float path, bool bottom_folded);

}  // namespace warpscope::ui
