#include "core/analysis/gpu_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/format.hpp"

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

Ns GpuTime::total() const {
  const Ns length = extent.length();
  if (length <= 0 || gpus == 0) return 0;
  const auto many = static_cast<Ns>(gpus);
  return length > std::numeric_limits<Ns>::max() / many ? std::numeric_limits<Ns>::max() : length * many;
}

double GpuTime::busy_share() const {
  const double whole = static_cast<double>(extent.length()) * static_cast<double>(gpus);
  return whole > 0 ? static_cast<double>(busy) / whole : 0;
}

GpuTime gpu_time(const trace::Profile& profile, const Scope& scope) {
  const std::vector<trace::Gpu> gpus = gpus_in(profile, scope);
  GpuTime time{gpus.size(), extent_of(profile, scope), 0};
  for (const trace::Gpu& gpu : gpus) time.busy = saturating_add(time.busy, GpuBusy(profile, gpu).within(time.extent));
  return time;
}

std::string gpu_time_note(const GpuTime& time) {
  if (time.gpus == 0) return "No GPU ran anything here.";
  return fmt::format("{} {} over {}.", format_count(static_cast<std::int64_t>(time.gpus)),
                     time.gpus == 1 ? "GPU" : "GPUs", format_duration(time.extent.length()));
}

}  // namespace warpscope::analysis
