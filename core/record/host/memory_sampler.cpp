#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/record/host/host_samplers.hpp"
#include "core/record/kernel_file.hpp"

namespace warpscope::record {

namespace {

class MemorySampler final : public Sampler {
 public:
  explicit MemorySampler(const KernelFolders& folders) : file_(folders.proc + "/meminfo") {}

  void sample(double /*seconds*/, std::vector<Sample>& into) override {
    std::uint64_t total = 0;
    std::optional<std::uint64_t> available;
    std::uint64_t reusable = 0;  // fallback for old kernels
    const std::string content = kernel_text(file_);
    std::string_view text = content;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      const std::string_view name = take_word(line);
      if (name == "MemTotal:") total = take_count(line);
      if (name == "MemAvailable:") available = take_count(line);
      if (name == "MemFree:" || name == "Buffers:" || name == "Cached:") reusable += take_count(line);
    }
    if (total == 0) return;
    const std::uint64_t free = std::min(available.value_or(reusable), total);
    into.push_back(
        {"memory", "MemoryUsedPercent", "", 100 * static_cast<double>(total - free) / static_cast<double>(total)});
  }

 private:
  std::string file_;
};

}  // namespace

std::unique_ptr<Sampler> memory_sampler(const KernelFolders& folders) {
  return std::make_unique<MemorySampler>(folders);
}

}  // namespace warpscope::record
