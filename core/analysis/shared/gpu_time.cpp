#include "core/analysis/shared/gpu_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/shared/intervals.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

std::vector<trace::Gpu> gpus_in(const trace::Profile& profile, const Scope& scope) {
  return trace::gpus_of(profile, ranks_in(profile, scope));
}

std::vector<Interval> MeasuredTime::of(const trace::Gpu& gpu) const {
  std::vector<Interval> times;
  for (const trace::GpuPart part : gpu.parts)
    if (const auto evaluated = scope_.evaluated_on_gpu(part.rank)) times.push_back(*evaluated);
  if (times.empty()) times.push_back(covered_.of(gpu, extent_));
  return joined(std::move(times));
}

GpuBusy::GpuBusy(const trace::Profile& profile, const trace::Gpu& gpu) {
  const auto tree_of = [&](trace::GpuPart part) -> const trace::IntervalTree& {
    return profile.ranks[part.rank]->devices[part.device].busy.get();
  };
  if (gpu.parts.size() == 1) {
    only_ = &tree_of(gpu.parts.front());
    return;
  }
  std::vector<Interval> runs;
  for (const trace::GpuPart part : gpu.parts) {
    const trace::TimeColumn& time = tree_of(part).time();
    for (std::uint32_t i = 0; i < time.size(); ++i) runs.push_back({time.begin(i), time.end(i)});
  }
  std::ranges::sort(runs, {}, &Interval::begin);
  own_ = trace::merged_intervals(runs);
}

Ns GpuBusy::within(const std::vector<Interval>& times) const {
  Ns sum = 0;
  for (const Interval& time : times) sum = saturating_add(sum, (own_ ? *own_ : *only_).busy(time.begin, time.end));
  return sum;
}

GpuTime gpu_time(const trace::Profile& profile, const Scope& scope) {
  const std::vector<trace::Gpu> gpus = gpus_in(profile, scope);
  const MeasuredTime measured(profile, scope);
  GpuTime time;
  time.gpus = gpus.size();
  for (const trace::Gpu& gpu : gpus) {
    const Ns length = total_length(measured.of(gpu));
    time.longest = std::max(time.longest, length);
    time.total = saturating_add(time.total, length);
    time.whole += static_cast<double>(length);
  }
  return time;
}

std::string gpu_time_note(const GpuTime& time) {
  if (time.gpus == 0) return "No GPU activity in this selection.";
  if (time.gpus == 1) return fmt::format("1 GPU over {}.", format_duration(time.total));
  const bool same = time.whole >= static_cast<double>(time.longest) * static_cast<double>(time.gpus);
  return fmt::format("{} GPUs over {}{}.", format_count(static_cast<std::int64_t>(time.gpus)), same ? "" : "up to ",
                     format_duration(time.longest));
}

}  // namespace warpscope::analysis
