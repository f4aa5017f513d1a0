#include "core/record/gpu/gpu_readings.hpp"

#include <utility>

namespace warpscope::record {

GpuReadings::GpuReadings(std::string library, std::uint32_t gpus, Say say)
    : library_(std::move(library)), say_(std::move(say)) {
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) names_.push_back("gpu" + std::to_string(gpu));
}

void GpuReadings::utilization(std::uint32_t gpu, double percent, std::vector<Sample>& into) const {
  into.push_back({"gpu", names_[gpu], "GPUUtilization", percent});
}

void GpuReadings::memory(std::uint32_t gpu, std::uint64_t used, std::uint64_t total, std::vector<Sample>& into) const {
  if (total == 0) return;
  into.push_back(
      {"gpu", names_[gpu], "GPUMemoryUtilization", 100 * static_cast<double>(used) / static_cast<double>(total)});
}

void GpuReadings::failed(std::uint32_t gpu, const std::string& what, const std::string& why) {
  if (!said_.insert(names_[gpu] + what).second) return;
  say_(library_ + " cannot read the " + what + " of " + names_[gpu] + ": " + why);
}

}  // namespace warpscope::record
