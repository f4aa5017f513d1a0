#include "core/record/perf/perf_sampler.hpp"

#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "core/base/descriptor.hpp"
#include "core/base/parse_number.hpp"
#include "core/record/kernel_file.hpp"

namespace warpscope::record {

namespace {

/// A counter on a single CPU.
class OpenedCounter {
 public:
  OpenedCounter(int file, std::size_t cpu) : file_(file), cpu_(cpu) {}

  [[nodiscard]] std::size_t cpu() const { return cpu_; }

  /// Returns the number of events since the last call.
  std::optional<double> take() {
    CounterReading now;
    if (::read(file_.get(), &now, sizeof now) != static_cast<ssize_t>(sizeof now)) return std::nullopt;
    const std::optional<double> events = events_between(last_, now);
    last_ = now;
    return events;
  }

 private:
  Descriptor file_;
  std::size_t cpu_;
  CounterReading last_;
};

struct OpenedEverywhere {
  std::string name;
  std::vector<OpenedCounter> on_cpus;
};

class PerfSampler final : public Sampler {
 public:
  PerfSampler(std::vector<std::string> cpus, std::vector<OpenedEverywhere> counters)
      : cpus_(std::move(cpus)), counters_(std::move(counters)) {}

  void sample(double seconds, std::vector<Sample>& into) override {
    for (OpenedEverywhere& counter : counters_) {
      double sum = 0;
      bool any = false;
      for (OpenedCounter& one : counter.on_cpus) {
        const std::optional<double> events = one.take();
        if (!events || seconds <= 0) continue;
        into.push_back({"cpu", cpus_[one.cpu()], counter.name, *events / seconds});
        sum += *events / seconds;
        any = true;
      }
      if (any) into.push_back({"cpu", counter.name, "all CPUs", sum});
    }
  }

 private:
  std::vector<std::string> cpus_;
  std::vector<OpenedEverywhere> counters_;
};

/// Raises the open-file limit as far as permitted because large machines need thousands of files.
void allow_most_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Returns the reason why the kernel rejected a counter.
std::string reason_of(int error, const KernelFolders& folders) {
  if (error == EACCES || error == EPERM) {
    const std::string text = kernel_text(folders.proc + "/sys/kernel/perf_event_paranoid");
    const std::string_view level = trimmed(text, "\n");
    return "not permitted; run as root, or set kernel.perf_event_paranoid to 0" +
           (level.empty() ? std::string() : " (currently " + std::string(level) + ")");
  }
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == EINVAL)
    return "not available on this machine";
  if (error == ENOSYS) return "this kernel does not support performance counters";
  return std::strerror(error);
}

}  // namespace

int open_counter(const CounterKind& kind, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = kind.type;
  attributes.config = kind.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const long file = ::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  return file < 0 ? -errno : static_cast<int>(file);
}

std::optional<double> events_between(const CounterReading& before, const CounterReading& now) {
  const std::uint64_t running = growth(before.running, now.running);
  if (running == 0) return std::nullopt;
  const auto enabled = static_cast<double>(growth(before.enabled, now.enabled));
  return static_cast<double>(growth(before.value, now.value)) * (enabled / static_cast<double>(running));
}

std::vector<int> numbers_in_list(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const auto range = parse_number_range(trimmed(text.substr(0, comma), " \n"));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (!range || range->first < 0 || range->second > 1 << 16) continue;
    for (auto number = range->first; number <= range->second; ++number) numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

std::unique_ptr<Sampler> perf_sampler(const std::vector<std::string>& names, const Say& say,
                                      const KernelFolders& folders, const OpenCounter& open) {
  const std::vector<int> numbers = numbers_in_list(kernel_text(folders.sys + "/devices/system/cpu/online"));
  const bool intel = is_intel(kernel_text(folders.proc + "/cpuinfo"));
  std::vector<std::string> cpus;
  for (const int number : numbers) cpus.push_back("cpu" + std::to_string(number));
  allow_most_files();
  std::vector<OpenedEverywhere> counters;
  std::map<std::string, std::string> refused;  // reason → names
  for (const std::string& name : names) {
    const auto kind = counter_kind(name, intel);
    if (!kind) continue;
    OpenedEverywhere counter{name, {}};
    int error = numbers.empty() ? ENOENT : 0;
    for (std::size_t cpu = 0; cpu < numbers.size() && error == 0; ++cpu) {
      const int file = open(*kind, numbers[cpu]);
      if (file >= 0)
        counter.on_cpus.emplace_back(file, cpu);
      else
        error = -file;
    }
    if (error == 0) {
      counters.push_back(std::move(counter));
    } else {
      std::string& same = refused[reason_of(error, folders)];
      same += (same.empty() ? "" : ", ") + name;
    }
  }
  for (const auto& [reason, which] : refused) say("cannot record " + which + ": " + reason);
  if (counters.empty()) return nullptr;
  return std::make_unique<PerfSampler>(std::move(cpus), std::move(counters));
}

}  // namespace warpscope::record
