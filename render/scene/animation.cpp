#include "render/scene/animation.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::scene {

namespace {

constexpr double kMaxFrame = 0.05;     // s; the first frame after an idle period reports a huge dt
constexpr double kHoldDelay = 0.15;    // s a key must be held before continuous motion starts
constexpr double kPanStep = 0.10;      // share of the width per tap
constexpr double kZoomStep = 1.25;     // per tap
constexpr double kPanSpeed = 0.8;      // initial speed, widths per second
constexpr double kZoomSpeed = 1.6;     // initial speed, e-folds per second
constexpr double kAcceleration = 1.5;  // added per second held, relative to the initial speed
constexpr double kFastest = 4;         // maximum, relative to the initial speed
constexpr double kShift = 3;

double speed_up(double held) { return std::min(kFastest, 1 + kAcceleration * std::max(0.0, held - kHoldDelay)); }

}  // namespace

double ease_out(double t) {
  const double rest = 1 - std::clamp(t, 0.0, 1.0);
  return 1 - rest * rest * rest;
}

TimeView interpolate(const TimeView& from, const TimeView& to, double share) {
  if (share <= 0) return from;
  if (share >= 1) return to;
  const double ratio = std::log(to.ns_per_px() / from.ns_per_px());
  const double scale = from.ns_per_px() * std::exp(ratio * share);
  // If the scale goes from n0 to n1, a fixed anchor requires the origin to follow (n0 - n) / (n0 - n1).
  const double way = std::abs(ratio) < 1e-9 ? share : std::expm1(ratio * share) / std::expm1(ratio);
  // Interpolate from the nearer end to hide rounding: the distance to the far end may exceed what a double resolves.
  const double distance = difference(to.origin(), from.origin());
  const FineTime origin =
      way < 0.5 ? advance(from.origin(), distance * way) : advance(to.origin(), -distance * (1 - way));
  return to.moved_to(origin, scale);
}

void AnimatedView::go_to(const TimeView& target) {
  start_ = current_;
  target_ = target;
  elapsed_ = 0;
}

void AnimatedView::jump_to(const TimeView& view) { *this = AnimatedView(view); }

void AnimatedView::resize(double width) {
  start_ = start_.resized(width);
  current_ = current_.resized(width);
  target_ = target_.resized(width);
}

void AnimatedView::relimit(Interval limits) {
  start_ = start_.relimited(limits);
  current_ = current_.relimited(limits);
  target_ = target_.relimited(limits);
}

bool AnimatedView::advance(double dt) {
  if (settled()) return false;
  elapsed_ += std::clamp(dt, 0.0, kMaxFrame);
  current_ = interpolate(start_, target_, ease_out(elapsed_ / kSeconds));
  return true;
}

KeyMotion KeyDriver::advance(const HeldKeys& keys, double width, double dt) {
  const double frame = std::clamp(dt, 0.0, kMaxFrame);
  const double boost = keys.fast ? kShift : 1;
  const int pan = static_cast<int>(keys.right) - static_cast<int>(keys.left);
  const int zoom = static_cast<int>(keys.in) - static_cast<int>(keys.out);
  KeyMotion motion;

  const bool pan_pressed = pan != 0 && pan != pan_direction_;
  const bool zoom_pressed = zoom != 0 && zoom != zoom_direction_;
  pan_held_ = pan == 0 || pan_pressed ? 0 : pan_held_ + frame;
  zoom_held_ = zoom == 0 || zoom_pressed ? 0 : zoom_held_ + frame;
  pan_direction_ = pan;
  zoom_direction_ = zoom;

  if (pan_pressed || zoom_pressed) {
    motion.step = true;
    if (pan_pressed) motion.pan_px = pan * kPanStep * boost * width;
    if (zoom_pressed) motion.zoom = std::pow(kZoomStep, zoom * boost);
    return motion;
  }
  if (pan_held_ > kHoldDelay) motion.pan_px = pan * kPanSpeed * speed_up(pan_held_) * boost * width * frame;
  if (zoom_held_ > kHoldDelay) motion.zoom = std::exp(zoom * kZoomSpeed * speed_up(zoom_held_) * boost * frame);
  return motion;
}

}  // namespace warpscope::scene
