#pragma once
// Samplers of GPUs: utilization and used memory of each, in %, through the libraries of the drivers. The interfaces
// declared here are those that NVIDIA and AMD document and keep stable.
#include <initializer_list>
#include <memory>
#include <string>

#include "core/record/sampler.hpp"

namespace warpscope::record {

/// Samples NVIDIA's GPUs through NVML. Null if there is no such library or GPU, or, with a message, if it does not
/// work. `libraries`: names to try. `device`: if it exists, the machine has the driver, and a missing library is
/// reported.
[[nodiscard]] std::unique_ptr<Sampler> nvml_sampler(
    const Say& say, std::initializer_list<const char*> libraries = {"libnvidia-ml.so.1"},
    const std::string& device = "/dev/nvidiactl");

/// The same for AMD's GPUs, through ROCm SMI.
[[nodiscard]] std::unique_ptr<Sampler> rocm_sampler(
    const Say& say,
    std::initializer_list<const char*> libraries = {"librocm_smi64.so", "librocm_smi64.so.7", "librocm_smi64.so.6",
                                                    "librocm_smi64.so.5", "/opt/rocm/lib/librocm_smi64.so"},
    const std::string& device = "/dev/kfd");

}  // namespace warpscope::record
