#include "render/scene/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpscope::scene {

namespace {

constexpr Interval kNothing{0, 1'000'000'000};

// A shift beyond ± 2^62 ns (146 years) is a bug or corrupt input; clamped so that conversion to int64 is defined.
constexpr double kFarthest = 4.6e18;

}  // namespace

FineTime advance(FineTime t, double delta) {
  const double moved = std::clamp(delta, -kFarthest, kFarthest);
  const double whole = std::floor(moved);
  FineTime result{saturating_add(t.ns, static_cast<Ns>(whole)), t.fraction + (moved - whole)};
  if (result.fraction >= 1) {
    result.ns = saturating_add(result.ns, 1);
    result.fraction -= 1;
  }
  return result;
}

double difference(FineTime a, FineTime b) {
  return static_cast<double>(saturating_difference(a.ns, b.ns)) + (a.fraction - b.fraction);
}

TimeView::TimeView(Interval limits, double width)
    : width_(std::max(1.0, width)), limits_(limits.empty() ? kNothing : limits) {
  *this = moved_to(advance({limits_.begin, 0}, -max_span()), max_span() / width_);
}

double TimeView::max_span() const {
  const auto length = static_cast<double>(saturating_difference(limits_.end, limits_.begin));
  return std::max(length * (1 + 2 * kMargin), kMinSpanNs);
}

Interval TimeView::visible() const {
  const FineTime end = advance(origin_, span());
  return {origin_.ns, end.fraction > 0 ? saturating_add(end.ns, 1) : end.ns};
}

TimeView TimeView::moved_to(FineTime origin, double ns_per_px) const {
  TimeView view = *this;
  view.ns_per_px_ = std::clamp(ns_per_px, kMinSpanNs / width_, std::max(kMinSpanNs, max_span()) / width_);
  const double length = static_cast<double>(saturating_difference(limits_.end, limits_.begin));
  const double margin = (max_span() - length) / 2;
  // Distance of the left edge from the start of the limits: from -margin to the value that leaves the right margin.
  const double left = difference(origin, {limits_.begin, 0});
  const double last = length + margin - view.span();
  if (left < -margin || last < -margin)
    view.origin_ = advance({limits_.begin, 0}, -margin);
  else if (left > last)
    view.origin_ = advance({limits_.begin, 0}, last);
  else
    view.origin_ = origin;
  return view;
}

TimeView TimeView::zoomed(double factor, double anchor_px) const {
  if (!(factor > 0)) return *this;
  const double scale = std::clamp(ns_per_px_ / factor, kMinSpanNs / width_, std::max(kMinSpanNs, max_span()) / width_);
  return moved_to(advance(origin_, anchor_px * (ns_per_px_ - scale)), scale);
}

TimeView TimeView::panned(double px) const { return moved_to(advance(origin_, px * ns_per_px_), ns_per_px_); }

TimeView TimeView::placed(FineTime t, double px) const { return moved_to(advance(t, -px * ns_per_px_), ns_per_px_); }

TimeView TimeView::fitted(Interval interval, double margin) const {
  const double length = std::max(1.0, static_cast<double>(saturating_difference(interval.end, interval.begin)));
  const double wanted = std::clamp(length * (1 + 2 * margin), kMinSpanNs, std::max(kMinSpanNs, max_span()));
  return moved_to(advance({interval.begin, 0}, -(wanted - length) / 2), wanted / width_);
}

TimeView TimeView::resized(double width) const {
  TimeView view = *this;
  view.width_ = std::max(1.0, width);
  return view.moved_to(origin_, span() / view.width_);
}

TimeView TimeView::relimited(Interval limits) const {
  TimeView view = *this;
  view.limits_ = limits.empty() ? kNothing : limits;
  return view.moved_to(origin_, ns_per_px_);
}

}  // namespace warpscope::scene
