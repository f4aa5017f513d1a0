#include "core/analysis/shared/gpu_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis {

std::vector<trace::Gpu> gpus_in(const trace::Profile& profile, const Scope& scope) {
  return trace::gpus_of(profile, ranks_in(profile, scope));
}

GpuBusy::GpuBusy(const trace::Profile& profile, const trace::Gpu& gpu) {
  const auto tree_of = [&](trace::GpuPart part) -> const trace::IntervalTree& {
    return profile.ranks[part.rank]->devices[part.device].busy;
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

GpuTime gpu_time(const trace::Profile& profile, const Scope& scope) {
  const std::vector<trace::Gpu> gpus = gpus_in(profile, scope);
  const trace::CoveredTime covered(profile);
  GpuTime time;
  time.gpus = gpus.size();
  time.extent = extent_of(profile, scope);
  for (const trace::Gpu& gpu : gpus) {
    const Interval own = covered.of(gpu, time.extent);
    time.busy = saturating_add(time.busy, GpuBusy(profile, gpu).within(own));
    time.total = saturating_add(time.total, own.length());
    time.whole += static_cast<double>(own.length());
  }
  return time;
}

std::string gpu_time_note(const GpuTime& time) {
  if (time.gpus == 0) return "No GPU activity in this selection.";
  if (time.gpus == 1) return fmt::format("1 GPU over {}.", format_duration(time.total));
  const bool whole = time.whole >= static_cast<double>(time.extent.length()) * static_cast<double>(time.gpus);
  return fmt::format("{} GPUs over {}{}.", format_count(static_cast<std::int64_t>(time.gpus)), whole ? "" : "up to ",
                     format_duration(time.extent.length()));
}

}  // namespace warpscope::analysis
