#pragma once
// Views in motion, as pure functions of elapsed time. A jump (zoom step, fit, undo) eases out over 120 ms; a held key
// moves continuously and accelerates. Between two views the scale runs geometrically, and the origin runs so that the
// one pixel whose time is the same in both (the anchor of a zoom) stays put on the way: no overshoot, no sway.
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// 0 → 1 over [0, 1], cubic, fast first.
[[nodiscard]] double ease_out(double t);

/// The view `share` of the way from `from` to `to`, 0 <= share <= 1. Both of the same width and limits.
[[nodiscard]] TimeView interpolate(const TimeView& from, const TimeView& to, double share);

/// A view on its way to a target.
class AnimatedView {
 public:
  static constexpr double kSeconds = 0.120;

  AnimatedView() = default;
  explicit AnimatedView(const TimeView& view) : start_(view), current_(view), target_(view) {}

  [[nodiscard]] const TimeView& current() const { return current_; }
  [[nodiscard]] const TimeView& target() const { return target_; }
  [[nodiscard]] bool settled() const { return current_ == target_; }

  /// Eases from where the view is now, also in the middle of another motion.
  void go_to(const TimeView& target);
  /// At once: dragging, resizing, held keys.
  void jump_to(const TimeView& view);
  /// Another canvas width or profile span, without disturbing a motion.
  void resize(double width);
  void relimit(Interval limits);
  /// `dt` in seconds, clamped to 0.05 (an idle window has a huge one). True if the view moved.
  bool advance(double dt);

 private:
  TimeView start_;
  TimeView current_;
  TimeView target_;
  double elapsed_ = kSeconds;
};

/// The navigation keys that are down.
struct HeldKeys {
  bool left = false;
  bool right = false;
  bool in = false;
  bool out = false;
  bool fast = false;  ///< Shift
};

/// What held keys do in a frame: first `zoom` (factor > 1 is in) about the anchor, then `pan_px`. `step` marks the
/// frame of a press: apply to the target and ease; otherwise apply at once.
struct KeyMotion {
  double zoom = 1;
  double pan_px = 0;
  bool step = false;

  [[nodiscard]] bool any() const { return zoom != 1 || pan_px != 0; }
  [[nodiscard]] TimeView apply(const TimeView& view, double anchor_px) const {
    const TimeView zoomed = zoom == 1 ? view : view.zoomed(zoom, anchor_px);
    return pan_px == 0 ? zoomed : zoomed.panned(pan_px);
  }
};

/// A tap makes a step (a tenth of the width, a zoom of 1.25); after 150 ms a held key moves steadily, faster the
/// longer.
class KeyDriver {
 public:
  /// `width` of the canvas in px, `dt` in seconds (clamped to 0.05).
  [[nodiscard]] KeyMotion advance(const HeldKeys& keys, double width, double dt);
  [[nodiscard]] bool moving() const { return pan_held_ > 0 || zoom_held_ > 0; }
  void stop() { *this = {}; }

 private:
  double pan_held_ = 0;  // seconds
  double zoom_held_ = 0;
  int pan_direction_ = 0;
  int zoom_direction_ = 0;
};

}  // namespace warpscope::scene
