// Takes the place of NVML and ROCm SMI in tests: GPU n is used to 10·(n+1) %, and its memory to a quarter. The variable
// STAND_IN_GPUS is the number of GPUs; STAND_IN_ERROR names the functions that fail with status 3.
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

int status_of(const char* function) {
  const char* const failing = std::getenv("STAND_IN_ERROR");
  return failing != nullptr && std::strstr(failing, function) != nullptr ? 3 : 0;
}

unsigned gpus() {
  const char* const text = std::getenv("STAND_IN_GPUS");
  return text == nullptr ? 2 : static_cast<unsigned>(std::atoi(text));
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return status_of("init"); }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int) { return "Not Supported"; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = gpus();
  return status_of("count");
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(std::uintptr_t{index} + 1);
  return status_of("handle");
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
  rates[0] = static_cast<unsigned>(10 * reinterpret_cast<std::uintptr_t>(device));
  rates[1] = 0;
  return status_of("utilization");
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 80ull << 30;
  memory[1] = 60ull << 30;
  memory[2] = 20ull << 30;
  return status_of("memory");
}

int rsmi_init(std::uint64_t) { return status_of("init"); }
int rsmi_shut_down() { return 0; }
int rsmi_status_string(int, const char** text) {
  *text = "Not Supported";
  return 0;
}
int rsmi_num_monitor_devices(std::uint32_t* count) {
  *count = gpus();
  return status_of("count");
}
int rsmi_dev_busy_percent_get(std::uint32_t device, std::uint32_t* percent) {
  *percent = 10 * (device + 1);
  return status_of("utilization");
}
int rsmi_dev_memory_total_get(std::uint32_t, int, std::uint64_t* bytes) {
  *bytes = 80ull << 30;
  return status_of("memory");
}
int rsmi_dev_memory_usage_get(std::uint32_t, int, std::uint64_t* bytes) {
  *bytes = 20ull << 30;
  return status_of("memory");
}
}
