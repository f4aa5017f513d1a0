#include "core/rules/gpu_window.hpp"

#include <algorithm>

namespace warpscope::rules {

std::optional<Ns> GpuWindow::next_activity(Ns time) const {
  const auto next = std::ranges::upper_bound(busy, time, {}, [](const Interval& each) { return each.end; });
  if (next == busy.end()) return std::nullopt;
  return std::max(time, next->begin);
}

std::vector<Interval> common(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> both;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const Interval time{std::max(x->begin, y->begin), std::min(x->end, y->end)};
    if (!time.empty()) both.push_back(time);
    if (x->end < y->end)
      ++x;
    else
      ++y;
  }
  return both;
}

bool touches(const std::vector<Interval>& intervals, Interval time) {
  const auto next = std::ranges::upper_bound(intervals, time.begin, {}, &Interval::end);
  return next != intervals.end() && next->begin < time.end;
}

}  // namespace warpscope::rules
