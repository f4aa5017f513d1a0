#include "core/analysis/causes/gpu_window.hpp"

namespace warpscope::analysis {

std::vector<GpuWindow> gpu_windows(const trace::Profile& profile, std::uint32_t rank, const RowsByDevice& rows,
                                   const EvaluatedRank& time, const std::vector<Interval>& profiler) {
  std::vector<GpuWindow> gpus;
  if (time.gpu.empty()) return gpus;
  for (std::uint32_t d = 0; d < profile.ranks[rank]->devices.size(); ++d) {
    GpuWindow gpu{.rank = rank,
                  .device = d,
                  .parts = time.gpu_steps,
                  .first_step = time.first_step,
                  .steps = time.steps,
                  .host = time.host,
                  .busy = union_of(rows.of(d), [](const GpuRow&) { return true; }),
                  .idle = {}};
    if (gpu.busy.empty()) continue;
    gpu.idle = without(without(gpu.parts, gpu.busy), profiler);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace warpscope::analysis
