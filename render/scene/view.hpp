#pragma once
// The time window shown on the canvas. As a double, a Unix-epoch time resolves only 256 ns, so the left edge is an
// int64 plus a fraction below one nanosecond, and conversions subtract in int64 before they multiply in double.
// Positions are exact to a small fraction of a pixel at any zoom level and date.
#include "core/base/time.hpp"

namespace warpscope::scene {

/// A time with sub-nanosecond resolution: `ns + fraction`, 0 <= fraction < 1.
struct FineTime {
  Ns ns = 0;
  double fraction = 0;

  friend bool operator==(const FineTime&, const FineTime&) = default;
};

/// Returns t + delta (ns), clamped to the range of Ns.
[[nodiscard]] FineTime advance(FineTime t, double delta);
/// Returns a - b in ns, subtracting integers first, then fractions.
[[nodiscard]] double difference(FineTime a, FineTime b);

/// A value type. Every change returns a new view within the limits: it shows at least kMinSpanNs and at most the whole
/// profile with a margin of 2 % on either side.
class TimeView {
 public:
  static constexpr double kMinSpanNs = 10;
  static constexpr double kMargin = 0.02;

  TimeView() = default;
  /// Shows all of `limits` (a profile's span; an empty one becomes one second) on `width` px (>= 1).
  TimeView(Interval limits, double width);

  [[nodiscard]] FineTime origin() const { return origin_; }  ///< time at the left edge
  [[nodiscard]] double ns_per_px() const { return ns_per_px_; }
  [[nodiscard]] double px_per_ns() const { return 1.0 / ns_per_px_; }
  [[nodiscard]] double width() const { return width_; }              ///< px
  [[nodiscard]] double span() const { return width_ * ns_per_px_; }  ///< ns
  [[nodiscard]] Interval limits() const { return limits_; }          ///< the span passed in, without margins
  /// Visible whole ns: [floor(left), ceil(right)).
  [[nodiscard]] Interval visible() const;

  /// Returns the distance of t from the canvas' left edge in px; outside [0, width) if t is out of view.
  [[nodiscard]] double to_px(Ns t) const {
    return (static_cast<double>(saturating_difference(t, origin_.ns)) - origin_.fraction) / ns_per_px_;
  }
  /// Returns the nanosecond at `px` (floor).
  [[nodiscard]] Ns to_time(double px) const { return to_fine_time(px).ns; }
  [[nodiscard]] FineTime to_fine_time(double px) const { return advance(origin_, px * ns_per_px_); }

  /// Zooms in if `factor` > 1, otherwise out. The time at `anchor_px` stays fixed unless a limit prevents it.
  [[nodiscard]] TimeView zoomed(double factor, double anchor_px) const;
  /// Moves by `px`, toward later times if positive.
  [[nodiscard]] TimeView panned(double px) const;
  /// Moves `t` to pixel `px`. To drag, remember the time under the pointer when the button is pressed and move it to
  /// the pointer each frame.
  [[nodiscard]] TimeView placed(FineTime t, double px) const;
  /// Fits `interval` with `margin` times its length on either side.
  [[nodiscard]] TimeView fitted(Interval interval, double margin = 0.05) const;
  /// Centers `t` at the same zoom.
  [[nodiscard]] TimeView centred(Ns t) const { return placed({t, 0}, width_ / 2); }
  /// Changes the canvas width and keeps the time span.
  [[nodiscard]] TimeView resized(double width) const;
  /// Changes the limits (for example, when the profile grows) and keeps the visible time range.
  [[nodiscard]] TimeView relimited(Interval limits) const;
  /// Sets origin and scale exactly, within limits.
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
