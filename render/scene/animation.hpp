#pragma once
// Animates views as pure functions of elapsed time. A jump (zoom step, fit, undo) eases out over 120 ms. Holding a key
// moves the view continuously with increasing speed. Between two views, the scale is interpolated geometrically. The
// origin moves so that the zoom anchor (the pixel that shows the same time in both views) stays fixed, without
// overshoot or sway.
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Cubic ease-out, 0 → 1 over [0, 1].
[[nodiscard]] double ease_out(double t);

/// Returns the view at fraction `share` (0…1) between `from` and `to`, which must have the same width and limits.
[[nodiscard]] TimeView interpolate(const TimeView& from, const TimeView& to, double share);

/// A view that animates toward a target.
class AnimatedView {
 public:
  static constexpr double kSeconds = 0.120;

  AnimatedView() = default;
  explicit AnimatedView(const TimeView& view) : start_(view), current_(view), target_(view) {}

  [[nodiscard]] const TimeView& current() const { return current_; }
  [[nodiscard]] const TimeView& target() const { return target_; }
  [[nodiscard]] bool settled() const { return current_ == target_; }

  /// Eases to `target` from the current view, even during another motion.
  void go_to(const TimeView& target);
  /// Moves to `view` immediately, for dragging, resizing and held keys.
  void jump_to(const TimeView& view);
  /// Changes the canvas width without interrupting a motion.
  void resize(double width);
  /// Changes the profile span without interrupting a motion.
  void relimit(Interval limits);
  /// Advances a motion by `dt` seconds, clamped to 0.05 because `dt` is huge after the window has been idle. Returns
  /// true if the view moved.
  bool advance(double dt);

 private:
  TimeView start_;
  TimeView current_;
  TimeView target_;
  double elapsed_ = kSeconds;
};

/// Navigation keys currently held.
struct HeldKeys {
  bool left = false;
  bool right = false;
  bool in = false;
  bool out = false;
  bool fast = false;  ///< Shift
};

/// Motion caused by held keys in one frame: first `zoom` (> 1 zooms in) around the anchor, then `pan_px`. If `step` is
/// true (in the frame of a key press), ease toward the new target; otherwise, apply the motion immediately.
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

/// Turns held keys into motion. A short press pans by a tenth of the width or zooms by a factor of 1.25. Holding a key
/// longer than 150 ms moves the view continuously with increasing speed.
class KeyDriver {
 public:
  /// Returns the motion of one frame. `width` is the canvas width in px; `dt` is in seconds and clamped to 0.05.
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
