#include "core/analysis/shared/intervals.hpp"

#include <algorithm>

#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

Ns total_length(const std::vector<Interval>& intervals) {
  Ns sum = 0;
  for (const Interval& each : intervals) sum = saturating_add(sum, each.length());
  return sum;
}

Ns common_length(Interval a, const std::vector<Interval>& b) {
  Ns sum = 0;
  auto other = std::ranges::upper_bound(b, a.begin, {}, &Interval::end);
  for (; other != b.end() && other->begin < a.end; ++other)
    sum = saturating_add(sum, std::max<Ns>(0, std::min(a.end, other->end) - std::max(a.begin, other->begin)));
  return sum;
}

Ns common_length(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  Ns sum = 0;
  for (const Interval& each : a) sum = saturating_add(sum, common_length(each, b));
  return sum;
}

std::vector<Interval> without(std::span<const Interval> from, std::span<const Interval> other) {
  std::vector<Interval> rest;
  std::size_t next = 0;
  for (Interval each : from) {
    while (next < other.size() && other[next].end <= each.begin) ++next;
    for (std::size_t i = next; i < other.size() && other[i].begin < each.end; ++i) {
      if (other[i].begin > each.begin) rest.push_back({each.begin, other[i].begin});
      each.begin = std::max(each.begin, other[i].end);
    }
    if (!each.empty()) rest.push_back(each);
  }
  return rest;
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

std::vector<Interval> joined(std::vector<Interval> intervals) {
  natural_merge_sort(intervals, [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> all;
  for (const Interval& each : intervals) {
    if (each.empty()) continue;
    if (!all.empty() && each.begin <= all.back().end)
      all.back().end = std::max(all.back().end, each.end);
    else
      all.push_back(each);
  }
  return all;
}

}  // namespace warpscope::analysis
