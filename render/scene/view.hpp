#pragma once
// The window of time that the canvas shows. A double of Unix-epoch nanoseconds is 256 ns coarse, so the left edge is an
// int64 plus a fraction below one nanosecond, and every conversion subtracts in int64 before it multiplies in double:
// exact to a small part of a pixel at any zoom, any date.
#include "core/base/time.hpp"

namespace warpscope::scene {

/// A time between nanoseconds: `ns + fraction`, 0 <= fraction < 1.
struct FineTime {
  Ns ns = 0;
  double fraction = 0;

  friend bool operator==(const FineTime&, const FineTime&) = default;
};

/// t + delta, delta in ns; clamped to the range of Ns.
[[nodiscard]] FineTime advance(FineTime t, double delta);
/// a - b in ns: subtracted as integers, then as fractions.
[[nodiscard]] double difference(FineTime a, FineTime b);
/// a - b, clamped to the range of Ns (damaged slices may stand at either end of it).
[[nodiscard]] Ns saturating_difference(Ns a, Ns b);

/// Value type; every change returns a new view that keeps the limits: at least kMinSpanNs over the canvas, at most the
/// whole profile and a margin of 2 % at either side, and never beyond that margin.
class TimeView {
 public:
  static constexpr double kMinSpanNs = 10;
  static constexpr double kMargin = 0.02;

  TimeView() = default;
  /// Shows all of `limits` (a profile's span; an empty one counts as a second) on `width` px (>= 1).
  TimeView(Interval limits, double width);

  [[nodiscard]] FineTime origin() const { return origin_; }  ///< at the left edge
  [[nodiscard]] double ns_per_px() const { return ns_per_px_; }
  [[nodiscard]] double px_per_ns() const { return 1.0 / ns_per_px_; }
  [[nodiscard]] double width() const { return width_; }              ///< px
  [[nodiscard]] double span() const { return width_ * ns_per_px_; }  ///< ns
  [[nodiscard]] Interval limits() const { return limits_; }          ///< the span given, without margins
  /// The whole ns that the view touches: [floor(left), ceil(right)).
  [[nodiscard]] Interval visible() const;

  /// Pixels from the canvas' left edge; beyond [0, width) if t is out of view.
  [[nodiscard]] double to_px(Ns t) const {
    return (static_cast<double>(saturating_difference(t, origin_.ns)) - origin_.fraction) / ns_per_px_;
  }
  /// The nanosecond under `px` (floor).
  [[nodiscard]] Ns to_time(double px) const { return to_fine_time(px).ns; }
  [[nodiscard]] FineTime to_fine_time(double px) const { return advance(origin_, px * ns_per_px_); }

  /// `factor` > 1 zooms in; what stands under `anchor_px` stays there unless a limit forbids.
  [[nodiscard]] TimeView zoomed(double factor, double anchor_px) const;
  /// `px` > 0 moves towards later times.
  [[nodiscard]] TimeView panned(double px) const;
  /// `t` at pixel `px`: for dragging (remember the time under the press, place it under the pointer each frame).
  [[nodiscard]] TimeView placed(FineTime t, double px) const;
  /// `interval` with `margin` of its length free at either side.
  [[nodiscard]] TimeView fitted(Interval interval, double margin = 0.05) const;
  /// Everything.
  [[nodiscard]] TimeView fitted_all() const { return TimeView(limits_, width_); }
  /// The same zoom with `t` in the middle.
  [[nodiscard]] TimeView centred(Ns t) const { return placed({t, 0}, width_ / 2); }
  /// Another canvas width: the same span of time.
  [[nodiscard]] TimeView resized(double width) const;
  /// The same window on a profile that grew.
  [[nodiscard]] TimeView relimited(Interval limits) const;
  /// Exactly this origin and scale, within limits.
  [[nodiscard]] TimeView moved_to(FineTime origin, double ns_per_px) const;

  friend bool operator==(const TimeView&, const TimeView&) = default;

 private:
  [[nodiscard]] double max_span() const;

  FineTime origin_;
  double ns_per_px_ = 1;
  double width_ = 1;
  Interval limits_{0, 1'000'000'000};
};

}  // namespace warpscope::scene
