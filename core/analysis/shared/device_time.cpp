#include "core/analysis/shared/device_time.hpp"

#include <algorithm>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

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

std::vector<DeviceTime> device_times(const std::vector<GpuRow>& rows, const std::optional<Interval>& whole) {
  std::vector<DeviceTime> times;
  RowsByDevice(rows).for_each([&](std::uint32_t device, std::span<const GpuRow> own) {
    const auto of = [&](auto counts) { return union_of(own, [&](const GpuRow& row) { return counts(row.kind); }); };
    const std::vector<Interval> busy = of([](KernelClass) { return true; });
    const auto compute = of([](KernelClass kind) { return kind == KernelClass::computation; });
    const auto no_memory = of([](KernelClass kind) { return kind != KernelClass::memory; });
    times.push_back({device,
                     whole.value_or(Interval{busy.front().begin, busy.back().end}),
                     {compute, without(no_memory, compute), without(busy, no_memory)}});
  });
  return times;
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
