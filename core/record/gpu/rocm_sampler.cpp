#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/record/gpu/gpu_readings.hpp"
#include "core/record/gpu/gpu_samplers.hpp"
#include "core/record/gpu/shared_library.hpp"

namespace warpscope::record {

namespace {

using RocmStatus = int;  // 0: success

constexpr int kVideoMemory = 0;  // memory type: VRAM

struct RocmSmi {
  SharedLibrary library;
  RocmStatus (*init)(std::uint64_t) = nullptr;
  RocmStatus (*shut_down)() = nullptr;
  RocmStatus (*status_string)(RocmStatus, const char**) = nullptr;
  RocmStatus (*count)(std::uint32_t*) = nullptr;
  RocmStatus (*busy_percent)(std::uint32_t, std::uint32_t*) = nullptr;
  RocmStatus (*memory_total)(std::uint32_t, int, std::uint64_t*) = nullptr;
  RocmStatus (*memory_used)(std::uint32_t, int, std::uint64_t*) = nullptr;

  explicit RocmSmi(SharedLibrary loaded) : library(std::move(loaded)) {}

  bool find_functions() {
    return library.find("rsmi_init", init) && library.find("rsmi_shut_down", shut_down) &&
           library.find("rsmi_status_string", status_string) && library.find("rsmi_num_monitor_devices", count) &&
           library.find("rsmi_dev_busy_percent_get", busy_percent) &&
           library.find("rsmi_dev_memory_total_get", memory_total) &&
           library.find("rsmi_dev_memory_usage_get", memory_used);
  }

  [[nodiscard]] std::string text_of(RocmStatus status) const {
    const char* text = nullptr;
    if (status_string(status, &text) == 0 && text != nullptr) return text;
    return "error " + std::to_string(status);
  }
};

class RocmSampler final : public Sampler {
 public:
  RocmSampler(RocmSmi rocm, std::uint32_t gpus, const Say& say)
      : rocm_(std::move(rocm)), readings_("ROCm SMI", gpus, say) {}
  ~RocmSampler() override { rocm_.shut_down(); }

  void sample(double /*seconds*/, std::vector<Sample>& into) override {
    for (std::uint32_t gpu = 0; gpu < readings_.gpus(); ++gpu) {
      std::uint32_t busy = 0;
      if (!failed(rocm_.busy_percent(gpu, &busy), gpu, "utilization")) readings_.utilization(gpu, busy, into);
      std::uint64_t total = 0;
      std::uint64_t used = 0;
      if (!failed(rocm_.memory_total(gpu, kVideoMemory, &total), gpu, "memory") &&
          !failed(rocm_.memory_used(gpu, kVideoMemory, &used), gpu, "memory"))
        readings_.memory(gpu, used, total, into);
    }
  }

 private:
  bool failed(RocmStatus status, std::uint32_t gpu, const char* what) {
    if (status != 0) readings_.failed(gpu, what, rocm_.text_of(status));
    return status != 0;
  }

  RocmSmi rocm_;
  GpuReadings readings_;
};

}  // namespace

std::unique_ptr<Sampler> rocm_sampler(const Say& say, std::initializer_list<const char*> libraries,
                                      const std::string& device) {
  RocmSmi rocm{SharedLibrary(libraries)};
  if (!rocm.library) {
    std::error_code error;
    if (std::filesystem::exists(device, error)) say("AMD GPUs are not recorded: ROCm SMI (librocm_smi64.so) not found");
    return nullptr;
  }
  if (!rocm.find_functions()) {
    say("AMD GPUs are not recorded: the ROCm SMI library lacks required functions");
    return nullptr;
  }
  if (const RocmStatus status = rocm.init(0); status != 0) {
    say("AMD GPUs are not recorded: ROCm SMI failed to initialize: " + rocm.text_of(status));
    return nullptr;
  }
  std::uint32_t gpus = 0;
  if (const RocmStatus status = rocm.count(&gpus); status != 0) {
    say("AMD GPUs are not recorded: ROCm SMI failed to count the GPUs: " + rocm.text_of(status));
    gpus = 0;
  }
  if (gpus == 0) {
    rocm.shut_down();
    return nullptr;
  }
  return std::make_unique<RocmSampler>(std::move(rocm), gpus, say);
}

}  // namespace warpscope::record
