#include "render/scene/ruler.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"

namespace warpscope::scene {

namespace {

constexpr double kLabelReachPx = 160;  // a label may extend this far to the right of its tick

Ns floor_multiple(Ns t, Ns step) { return saturating_difference(t, (t % step + step) % step); }

// Returns the distance between small ticks: a fifth of steps of 1 and 5, a quarter of steps of 2.
Ns small_step(Ns step) {
  Ns lead = step;
  while (lead >= 10) lead /= 10;
  const Ns parts = lead == 2 ? 4 : 5;
  return step % parts == 0 ? step / parts : step;
}

}  // namespace

Ns nice_step(double ns) {
  constexpr Ns kGreatest = 1'000'000'000'000'000'000;
  for (Ns power = 1; power < kGreatest; power *= 10)
    for (const Ns factor : std::array<Ns, 3>{1, 2, 5})
      if (static_cast<double>(factor * power) >= ns) return factor * power;
  return kGreatest;
}

Ruler make_ruler(const TimeView& view, Ns zero, double spacing_px) {
  Ruler ruler;
  ruler.step = nice_step(std::max(1.0, spacing_px) * view.ns_per_px());
  const Ns small = small_step(ruler.step);
  const Interval visible = view.visible();
  const auto reach = static_cast<Ns>(kLabelReachPx * view.ns_per_px());
  const Ns first = floor_multiple(saturating_difference(visible.begin, saturating_add(zero, reach)), ruler.step);
  const Ns last = saturating_difference(visible.end, zero);
  for (Ns t = first; t <= last; t += small) {
    Tick tick{.x = view.to_px(saturating_add(zero, t)), .time = t, .labelled = t % ruler.step == 0, .label = {}};
    if (tick.labelled) tick.label = format_time_at(t, ruler.step);
    if (tick.labelled || tick.x >= 0) ruler.ticks.push_back(std::move(tick));
    if (saturating_difference(last, t) < small) break;  // t + small might overflow
  }
  return ruler;
}

}  // namespace warpscope::scene
