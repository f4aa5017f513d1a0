#include <filesystem>
#include <utility>

#include "core/record/gpu/gpu_readings.hpp"
#include "core/record/gpu/gpu_samplers.hpp"
#include "core/record/gpu/shared_library.hpp"

namespace warpscope::record {

namespace {

using NvmlStatus = int;  // 0: success
using NvmlDevice = void*;

struct NvmlUtilization {
  unsigned gpu;     // % of the time during which a kernel ran
  unsigned memory;  // % of the time during which memory was accessed
};

struct NvmlMemory {
  unsigned long long total;  // bytes
  unsigned long long free;
  unsigned long long used;
};

struct Nvml {
  SharedLibrary library;
  NvmlStatus (*init)() = nullptr;
  NvmlStatus (*shutdown)() = nullptr;
  const char* (*error_string)(NvmlStatus) = nullptr;
  NvmlStatus (*count)(unsigned*) = nullptr;
  NvmlStatus (*handle)(unsigned, NvmlDevice*) = nullptr;
  NvmlStatus (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  NvmlStatus (*memory)(NvmlDevice, NvmlMemory*) = nullptr;

  explicit Nvml(SharedLibrary loaded) : library(std::move(loaded)) {}

  bool find_functions() {
    return library.find("nvmlInit_v2", init) && library.find("nvmlShutdown", shutdown) &&
           library.find("nvmlErrorString", error_string) && library.find("nvmlDeviceGetCount_v2", count) &&
           library.find("nvmlDeviceGetHandleByIndex_v2", handle) &&
           library.find("nvmlDeviceGetUtilizationRates", utilization) &&
           library.find("nvmlDeviceGetMemoryInfo", memory);
  }
};

class NvmlSampler final : public Sampler {
 public:
  NvmlSampler(Nvml nvml, unsigned gpus, const Say& say) : nvml_(std::move(nvml)), readings_("NVML", gpus, say) {}
  ~NvmlSampler() override { nvml_.shutdown(); }

  void sample(double /*seconds*/, std::vector<Sample>& into) override {
    for (unsigned gpu = 0; gpu < readings_.gpus(); ++gpu) {
      NvmlDevice device = nullptr;
      if (failed(nvml_.handle(gpu, &device), gpu, "state")) continue;
      NvmlUtilization utilization{};
      if (!failed(nvml_.utilization(device, &utilization), gpu, "utilization"))
        readings_.utilization(gpu, utilization.gpu, into);
      NvmlMemory memory{};
      if (!failed(nvml_.memory(device, &memory), gpu, "memory")) readings_.memory(gpu, memory.used, memory.total, into);
    }
  }

 private:
  bool failed(NvmlStatus status, unsigned gpu, const char* what) {
    if (status != 0) readings_.failed(gpu, what, nvml_.error_string(status));
    return status != 0;
  }

  Nvml nvml_;
  GpuReadings readings_;
};

}  // namespace

std::unique_ptr<Sampler> nvml_sampler(const Say& say, std::initializer_list<const char*> libraries,
                                      const std::string& device) {
  Nvml nvml{SharedLibrary(libraries)};
  if (!nvml.library) {
    std::error_code error;
    if (std::filesystem::exists(device, error)) say("NVIDIA GPUs are not recorded: NVML (libnvidia-ml.so.1) not found");
    return nullptr;
  }
  if (!nvml.find_functions()) {
    say("NVIDIA GPUs are not recorded: the NVML library lacks required functions");
    return nullptr;
  }
  if (const NvmlStatus status = nvml.init(); status != 0) {
    say(std::string("NVIDIA GPUs are not recorded: NVML failed to initialize: ") + nvml.error_string(status));
    return nullptr;
  }
  unsigned gpus = 0;
  if (const NvmlStatus status = nvml.count(&gpus); status != 0) {
    say(std::string("NVIDIA GPUs are not recorded: NVML failed to count the GPUs: ") + nvml.error_string(status));
    gpus = 0;
  }
  if (gpus == 0) {
    nvml.shutdown();
    return nullptr;
  }
  return std::make_unique<NvmlSampler>(std::move(nvml), gpus, say);
}

}  // namespace warpscope::record
