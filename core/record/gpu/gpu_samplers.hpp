#pragma once
// GPU samplers: read the utilization and memory usage of each GPU, in %, through the driver libraries. They use only
// interfaces that NVIDIA and AMD document and keep stable.
#include <initializer_list>
#include <memory>
#include <string>

#include "core/record/sampler.hpp"

namespace warpscope::record {

/// Samples NVIDIA GPUs through NVML. Returns null if there is no NVML or no GPU, or (with a message) if the library
/// does not work. `libraries`: names to try. `device`: a file that exists if the driver is installed; a missing library
/// is reported only in that case.
[[nodiscard]] std::unique_ptr<Sampler> nvml_sampler(
    const Say& say, std::initializer_list<const char*> libraries = {"libnvidia-ml.so.1"},
    const std::string& device = "/dev/nvidiactl");

/// Same for AMD GPUs, through ROCm SMI.
[[nodiscard]] std::unique_ptr<Sampler> rocm_sampler(
    const Say& say,
    std::initializer_list<const char*> libraries = {"librocm_smi64.so", "librocm_smi64.so.7", "librocm_smi64.so.6",
                                                    "librocm_smi64.so.5", "/opt/rocm/lib/librocm_smi64.so"},
    const std::string& device = "/dev/kfd");

}  // namespace warpscope::record
