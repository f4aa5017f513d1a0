#pragma once
// Overlays of the canvas: outlines of selection and hover, arrows of connections, the critical path, the marked range,
// step boundaries, the line at the pointer.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/path_overlay.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/arrows.hpp"
#include "render/scene/steps_strip.hpp"

namespace warpscope::ui {

struct OverlayInput {
  std::optional<trace::SliceRef> selection;
  std::optional<trace::SliceRef> hover;
  std::optional<double> pointer_x;  ///< px on the canvas
  bool range_edge_hot = false;      ///< the pointer is on an edge of the range
  const std::vector<scene::StepBox>* steps = nullptr;
  const ShownPath* path = nullptr;           ///< the visible critical path, if any
  std::optional<std::uint32_t> path_link{};  ///< edge under the pointer
};

class Overlays {
 public:
  /// Draws below the rectangles: steps and row separators.
  void draw_below(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                  const OverlayInput& over) const;
  /// Draws above the rectangles.
  void draw_above(const AppContext& app, const TimelineState& state, const scene::TimelineInput& input,
                  ImDrawList& list, ImVec2 at, const OverlayInput& over);

  /// Releases the profile.
  void forget() { *this = {}; }

  /// Arrows drawn in the last frame.
  [[nodiscard]] const std::vector<scene::Arrow>& arrows() const { return arrows_; }
  [[nodiscard]] bool too_many_arrows() const { return too_many_; }
  [[nodiscard]] const PathOverlay& path() const { return path_; }

 private:
  void update_arrows(const AppContext& app, const scene::TimelineInput& input,
                     const std::optional<trace::SliceRef>& selection);

  PathOverlay path_;
  std::vector<scene::Arrow> arrows_;
  scene::TimelineInput arrows_of_;
  std::optional<trace::SliceRef> arrows_for_;
  bool all_ = false;
  bool too_many_ = false;
};

/// Boxes of a slice: at most one in the pinned block and one below it. In canvas px, not clipped.
[[nodiscard]] std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice);

}  // namespace warpscope::ui
