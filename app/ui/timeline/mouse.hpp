#pragma once
// What the mouse does on the canvas and the ruler, as a function of plain numbers: presses, drags and notches of the
// wheel go in, the state moves, and a click comes out for whoever selects. No ImGui, so that gestures are tested as
// numbers.
//
//   left click          selects what is under it
//   left double click   fits it
//   left drag           marks a range: on the rows that the drag covers; on all when begun on the ruler or with Shift
//   edge drag           moves an edge of the marked range
//   middle, right drag  moves both ways
//   wheel               scrolls the tracks; with Ctrl, or by a setting, zooms at the pointer; with Shift pans
//   sideways scroll     pans
#include <array>
#include <optional>

#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

enum class MouseArea : std::uint8_t { none, canvas, ruler, labels };

/// The mouse in one frame, in px from the canvas' top left corner (the ruler stands at negative y).
struct MouseInput {
  static constexpr std::size_t kLeft = 0, kRight = 1, kMiddle = 2;

  double x = 0;
  double y = 0;
  MouseArea over = MouseArea::none;  ///< what is under the pointer
  std::array<bool, 3> pressed{};     ///< went down in this frame, on `pressed_on`
  std::array<bool, 3> released{};
  std::array<double, 3> press_x{};  ///< where the button went down: not where the pointer is by now
  std::array<double, 3> press_y{};
  MouseArea pressed_on = MouseArea::none;
  bool double_clicked = false;  ///< left
  double wheel = 0;             ///< notches, up positive
  double wheel_sideways = 0;    ///< notches, left positive
  bool ctrl = false;
  bool shift = false;
};

struct MouseOutcome {
  std::optional<scene::Hit> click;  ///< left, without a drag
  std::optional<scene::Hit> double_click;
  std::optional<scene::Hit> menu;  ///< right, without a drag
  bool range_done = false;         ///< a drag just ended that marked or changed a range
  bool over_edge = false;          ///< the pointer is on an edge of the range, or drags it
  bool panning = false;
  bool marking = false;  ///< a range is being dragged out, or an edge of it
};

class CanvasMouse {
 public:
  /// `wheel_zooms`: the plain wheel zooms over the canvas.
  MouseOutcome update(const MouseInput& input, TimelineState& state, bool wheel_zooms);
  [[nodiscard]] bool active() const { return gesture_ != Gesture::none; }
  /// Lets go of whatever is held.
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
  Ns anchor_ = 0;            // the time that stays: of the press, or of the other edge
  scene::FineTime grabbed_;  // of a pan
  double grabbed_scroll_ = 0;
  double content_y_ = 0;  // of the press, from the top of the rows
};

/// The time at px, or the begin or end of a slice that is nearer than a few px on the row there.
[[nodiscard]] Ns snapped_time(const TimelineState& state, double x, double y);

}  // namespace warpscope::ui
