#pragma once
// The canvas: draws the scene's rectangles in one draw call, then their names and the overlays (overlays/). The only
// state is a cache that keeps unchanged frames cheap.
#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "app/ui/timeline/rect_canvas.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::ui {

class Canvas {
 public:
  /// Draws the canvas at `at` (screen px), with the size given by `state`.
  void draw(AppContext& app, const TimelineState& state, ImVec2 at, const OverlayInput& over);
  /// Releases the profile.
  void forget() {
    scene_.forget();
    input_ = {};
    overlays_.forget();
  }
  /// Inputs of the last draw, including theme and fonts.
  [[nodiscard]] const scene::TimelineInput& input() const { return input_; }
  [[nodiscard]] std::size_t rects() const { return rects_; }
  [[nodiscard]] std::size_t labels() const { return labels_; }
  /// True if the last draw showed slices that are not in memory yet.
  [[nodiscard]] bool loading() const { return scene_.incomplete(); }
  [[nodiscard]] const Overlays& overlays() const { return overlays_; }

 private:
  scene::TimelineScene scene_;
  scene::TimelineInput input_;
  RectCanvas rect_canvas_;
  Overlays overlays_;
  std::size_t rects_ = 0;
  std::size_t labels_ = 0;
};

/// Returns the font for names at a given row height.
[[nodiscard]] ImFont& row_font(const AppContext& app, scene::Density density);

/// Draws names on their rectangles, truncated with "…"; skips names that would be truncated to fewer than three
/// characters.
void draw_labels(ImDrawList& list, ImFont& font, std::span<const scene::Label> labels, ImVec2 at);

}  // namespace warpscope::ui
