#pragma once
// Mouse gestures on the canvas and the ruler. Inputs and outputs are plain numbers that do not depend on ImGui, so
// gestures can be unit-tested. Presses, drags and wheel notches change the state; clicks are returned to the caller.
//
//   left click          selects the slice under the pointer
//   left double click   fits the slice under the pointer
//   left drag           marks a range: on the rows of the drag; on all rows if started on the ruler or with Shift
//   edge drag           moves an edge of the marked range
//   middle, right drag  pans in both directions
//   wheel               scrolls the tracks; with Ctrl (or as a setting), zooms at the pointer; with Shift, pans
//   sideways scroll     pans
#include <array>
#include <optional>

#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

enum class MouseArea : std::uint8_t { none, canvas, ruler, labels };

/// Mouse state for one frame, in px from the canvas's top left corner (y is negative on the ruler).
struct MouseInput {
  static constexpr std::size_t kLeft = 0, kRight = 1, kMiddle = 2;

  double x = 0;
  double y = 0;
  MouseArea over = MouseArea::none;  ///< part under the pointer
  std::array<bool, 3> pressed{};     ///< pressed in this frame, on `pressed_on`
  std::array<bool, 3> released{};
  std::array<double, 3> press_x{};  ///< position at the press, not the current one
  std::array<double, 3> press_y{};
  MouseArea pressed_on = MouseArea::none;
  bool double_clicked = false;  ///< left button
  double wheel = 0;             ///< notches, up positive
  double wheel_sideways = 0;    ///< notches, left positive
  bool ctrl = false;
  bool shift = false;
};

struct MouseOutcome {
  std::optional<scene::Hit> click;  ///< left click without a drag
  std::optional<scene::Hit> double_click;
  std::optional<scene::Hit> menu;  ///< right click without a drag
  bool range_done = false;         ///< a drag that marked or changed a range just ended
  bool over_edge = false;          ///< the pointer is on an edge of the range or is dragging one
  bool panning = false;
  bool marking = false;  ///< a range or an edge of one is being dragged
};

class CanvasMouse {
 public:
  /// `wheel_zooms`: the wheel zooms over the canvas even without modifiers.
  MouseOutcome update(const MouseInput& input, TimelineState& state, bool wheel_zooms);
  [[nodiscard]] bool active() const { return gesture_ != Gesture::none; }
  /// Cancels a drag.
  void stop(TimelineState& state);

 private:
  enum class Gesture : std::uint8_t { none, press, mark, edge, pan_press, pan };

  void press(const MouseInput& input, TimelineState& state);
  void wheel(const MouseInput& input, TimelineState& state, bool wheel_zooms) const;
  void drag(const MouseInput& input, TimelineState& state);
  void drag_range(const MouseInput& input, TimelineState& state) const;
  [[nodiscard]] std::optional<Ns> edge_under(const MouseInput& input, const TimelineState& state) const;

  Gesture gesture_ = Gesture::none;
  std::size_t button_ = 0;
  bool all_rows_ = false;
  double press_x_ = 0;
  double press_y_ = 0;
  Ns anchor_ = 0;            // fixed time of a drag: the press, or the opposite edge
  scene::FineTime grabbed_;  // time grabbed by a pan
  double grabbed_scroll_ = 0;
  double content_y_ = 0;  // press position from the top of the rows
};

/// Returns the time at px `x`. Snaps to the nearest start or end of a slice in the row at `y` if it is within a few px.
[[nodiscard]] Ns snapped_time(const TimelineState& state, double x, double y);

}  // namespace warpscope::ui
