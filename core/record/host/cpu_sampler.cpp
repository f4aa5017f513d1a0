#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/parse_number.hpp"
#include "core/record/host/host_samplers.hpp"
#include "core/record/kernel_file.hpp"

namespace warpscope::record {

namespace {

constexpr std::uint32_t kMostCores = 1 << 16;

/// Times of a core since boot, in ticks.
struct CoreTimes {
  std::uint64_t busy = 0;
  std::uint64_t idle = 0;
  std::uint64_t waiting = 0;
};

class CpuSampler final : public Sampler {
 public:
  explicit CpuSampler(const KernelFolders& folders) : file_(folders.proc + "/stat") {}

  void sample(double seconds, std::vector<Sample>& into) override {
    const std::string content = kernel_text(file_);
    std::string_view text = content;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      const std::string_view word = take_word(line);
      if (!word.starts_with("cpu")) continue;
      const auto number = parse_number<std::uint32_t>(word.substr(3));
      if (!number || *number >= kMostCores) continue;  // the line with the total of all cores
      const CoreTimes now = times_in(line);
      while (cores_.size() <= *number) cores_.push_back({"cpu" + std::to_string(cores_.size()), {}, false});
      Core& core = cores_[*number];
      if (seconds > 0 && core.known) add(core, now, into);
      core.times = now;
      core.known = true;
    }
  }

 private:
  struct Core {
    std::string name;
    CoreTimes times;
    bool known = false;
  };

  static CoreTimes times_in(std::string_view line) {
    CoreTimes times;
    times.busy = take_count(line);   // user
    times.busy += take_count(line);  // nice
    times.busy += take_count(line);  // system
    times.idle = take_count(line);
    times.waiting = take_count(line);
    times.busy += take_count(line);  // interrupts
    times.busy += take_count(line);  // soft interrupts
    times.busy += take_count(line);  // stolen by the hypervisor; "user" already includes guests
    return times;
  }

  static void add(const Core& core, const CoreTimes& now, std::vector<Sample>& into) {
    const auto busy = static_cast<double>(growth(core.times.busy, now.busy));
    const auto idle = static_cast<double>(growth(core.times.idle, now.idle));
    const auto waiting = static_cast<double>(growth(core.times.waiting, now.waiting));  // the kernel may decrease this
    const double all = busy + idle + waiting;
    if (all == 0) return;
    into.push_back({"cpu", core.name, "CPUUtilization", 100 * (busy + waiting) / all});
    into.push_back({"cpu", core.name, "I/OWaitPercentage", 100 * waiting / all});
  }

  std::string file_;
  std::vector<Core> cores_;
};

}  // namespace

std::unique_ptr<Sampler> cpu_sampler(const KernelFolders& folders) { return std::make_unique<CpuSampler>(folders); }

}  // namespace warpscope::record
