#pragma once
// A made-up framework timeline as SageMaker Debugger's hooks write it, with steps of any phase and accompanying system
// metrics.
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>

#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::tests {

class FrameworkTimeline {
 public:
  static constexpr std::int64_t kStart = 1'594'662'605;  ///< s since the Unix epoch

  /// A step of the mode TRAIN, EVAL, …; times in ms after the start.
  void step(std::string_view mode, int number, int begin, int length) {
    slice(fmt::format("Step:ModeKeys.{}", mode), begin, length, fmt::format(R"(, "step_num": "{}")", number));
  }
  /// Adds an event with the name of its phase.
  void slice(const std::string& phase, int begin, int length, const std::string& arguments = {}) {
    const auto [entry, fresh] = phases_.try_emplace(phase, phases_.size() + 1);
    if (fresh)
      announced_ += fmt::format(
          ",\n"
          R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "{}"}}}})",
          entry->second, phase);
    events_ += fmt::format(
        ",\n"
        R"({{"name": "{}", "pid": {}, "ph": "X", "ts": {}, "dur": {}, "args": {{"pid": 905{}}}}})",
        phase, entry->second, 1'000 * begin, 1'000 * length, arguments);
  }
  /// Adds a sample of GPU utilization at `time`, in ms.
  void sample(int time, int value = 50) { metric("gpu", "gpu0", "GPUUtilization", time, value); }
  /// Adds a sample of a core's utilization.
  void core(int time, int value) { metric("cpu", "cpu0", "CPUUtilization", time, value); }

  [[nodiscard]] std::shared_ptr<const trace::Profile> load() const {
    const TestFolder job;
    const std::string base = fmt::format(
        R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {}}}}},
{{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {{"sort_index": 0}}}})",
        kStart * 1'000'000);
    job.write(
        fmt::format("framework/pevents/2020071317/{}_905-algo-1_pythontimeline.json", (kStart + 10'000) * 1'000'000),
        "[\n" + base + announced_ + events_ + "\n]\n");
    if (!metrics_.empty()) job.write(fmt::format("system/incremental/2020071317/{}.algo-1.json", kStart), metrics_);
    return tests::load(job.path());
  }

 private:
  void metric(std::string_view type, std::string_view name, std::string_view dimension, int time, int value) {
    metrics_ +=
        fmt::format(R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":{},"NodeId":"algo-1","Timestamp":{}.{:03}}})"
                    "\n",
                    type, name, dimension, value, kStart + time / 1'000, time % 1'000);
  }

  std::map<std::string, std::size_t> phases_;
  std::string announced_;
  std::string events_;
  std::string metrics_;
};

}  // namespace warpscope::tests
