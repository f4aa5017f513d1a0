#pragma once
// The overview at the top: shows the whole profile, with one strip per node. The visible range appears as a window that
// the user can drag, resize, or move by clicking elsewhere.
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/rect_canvas.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/overview.hpp"

namespace warpscope::ui {

class OverviewStripView {
 public:
  /// Returns the height of a profile's overview, in grid px.
  [[nodiscard]] static float height(const trace::Profile* profile);
  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Releases the profile.
  void forget() { scene_.forget(); }

 private:
  enum class Grip : std::uint8_t { none, window, left, right };

  void drag(AppContext& app, TimelineState& state, const scene::Overview& overview, ImVec2 at, ImVec2 size);
  /// `x`, `y`: pointer position in px, relative to the top left corner of the strips.
  void draw_tooltip(const AppContext& app, const TimelineState& state, const scene::Overview& overview, double x,
                    double y, std::string_view further) const;
  void draw_window(const AppContext& app, const TimelineState& state, const scene::TimeView& whole, ImVec2 at,
                   ImVec2 size) const;
  [[nodiscard]] Grip grip_at(const AppContext& app, const TimelineState& state, const scene::TimeView& whole,
                             double x) const;

  scene::OverviewScene scene_;
  scene::DrawList list_;
  RectCanvas rect_canvas_;
  std::uint64_t revision_ = 0;
  // Source of list_.
  std::uint64_t drawn_ = 0;  // revision of scene_
  scene::Theme theme_ = scene::Theme::dark;
  Grip grip_ = Grip::none;
  double grab_offset_ = 0;  // px from the window's left edge to the grab point
};

}  // namespace warpscope::ui
