#include "core/analysis/gpu_time.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/base/format.hpp"

namespace warpscope::analysis {

std::vector<GpuRef> gpus_in(const trace::Profile& profile, const Scope& scope) {
  std::vector<GpuRef> gpus;
  for (const std::uint32_t rank : ranks_in(profile, scope))
    for (std::uint32_t device = 0; device < profile.ranks[rank]->devices.size(); ++device)
      gpus.push_back({rank, device});
  return gpus;
}

Ns GpuTime::total() const {
  const Ns length = extent.length();
  if (length <= 0 || gpus == 0) return 0;
  const auto many = static_cast<Ns>(gpus);
  return length > std::numeric_limits<Ns>::max() / many ? std::numeric_limits<Ns>::max() : length * many;
}

GpuTime gpu_time(const trace::Profile& profile, const Scope& scope) {
  const std::vector<GpuRef> gpus = gpus_in(profile, scope);
  GpuTime time{gpus.size(), extent_of(profile, scope), 0};
  for (const GpuRef gpu : gpus) {
    const trace::IntervalTree& busy = profile.ranks[gpu.rank]->devices[gpu.device].busy;
    time.busy = saturating_add(time.busy, busy.busy(time.extent.begin, time.extent.end));
  }
  return time;
}

std::string gpu_time_note(const GpuTime& time) {
  if (time.gpus == 0) return "No GPU ran anything here.";
  return fmt::format("{} {} over {}.", format_count(static_cast<std::int64_t>(time.gpus)),
                     time.gpus == 1 ? "GPU" : "GPUs", format_duration(time.extent.length()));
}

}  // namespace warpscope::analysis
