#pragma once
// The directory of a SageMaker job with Debugger output: two nodes with four GPUs each, nine minutes of system metrics
// with one underutilized GPU, and the steps of one process per node.
#include <fmt/format.h>

#include <string>

#include "tests/test_folder.hpp"

namespace warpscope::tests {

inline std::string debugger_job(const TestFolder& folder) {
  constexpr long kStart = 1'758'045'600;  // seconds since the Unix epoch, on a minute boundary
  for (int node = 1; node <= 2; ++node) {
    for (int minute = 0; minute < 9; ++minute) {
      std::string lines;
      for (int half = 0; half < 120; ++half) {
        const std::string time = fmt::format("{}.{}", kStart + 60 * minute + half / 2, half % 2 == 0 ? "0" : "5");
        const auto add = [&](const char* type, const std::string& name, const char* dimension, int value) {
          lines +=
              fmt::format(R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":{},"NodeId":"algo-{}","Timestamp":{}}})"
                          "\n",
                          type, name, dimension, value, node, time);
        };
        for (int gpu = 0; gpu < 4; ++gpu) {
          const int use = node == 2 && gpu == 3 ? 30 : 90;
          add("gpu", fmt::format("gpu{}", gpu), "GPUUtilization", use + half % 10);
          add("gpu", fmt::format("gpu{}", gpu), "GPUMemoryUtilization", 40);
        }
        for (int core = 0; core < 2; ++core) {
          add("cpu", fmt::format("cpu{}", core), "CPUUtilization", 20 + half % 7);
          add("cpu", fmt::format("cpu{}", core), "I/OWaitPercentage", 1);
        }
      }
      folder.write(
          fmt::format("profiler-output/system/incremental/2025091618/{}.algo-{}.json", kStart + 60 * minute, node),
          lines);
    }
    std::string events = fmt::format(
        "[\n"
        R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {}}}}},)"
        "\n"
        R"({{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {{"sort_index": 0}}}},)"
        "\n"
        R"({{"name": "process_name", "ph": "M", "pid": 1, "args": {{"name": "Step:ModeKeys.TRAIN"}}}},)"
        "\n"
        R"({{"name": "process_name", "ph": "M", "pid": 2, "args": {{"name": "DataLoaderWorker"}}}})",
        kStart * 1'000'000);
    for (int s = 0; s < 40; ++s)
      for (const bool step : {true, false})
        events += fmt::format(
            ",\n"
            R"({{"name": "{}", "pid": {}, "ph": "X", "ts": {}, "dur": {}, "args": {{"pid": 90{}, "step_num": "{}"}}}})",
            step ? "Step:ModeKeys.TRAIN" : "DataLoaderWorker", step ? 1 : 2, 60'000'000 + s * 1'000'000,
            (step ? 900'000 : 300'000) + s % 5 * 1'000, step ? 0 : 1, s);
    folder.write(fmt::format("profiler-output/framework/pevents/2025091618/{}_{}-algo-{}_pythontimeline.json",
                             (kStart + 200) * 1'000'000, node - 1, node),
                 events + "\n]\n");
  }
  folder.write("rule-output/ProfilerReport-1/profiler-output/profiler-reports/LowGPUUtilization.json",
               R"({"RuleTriggered": 3, "Violations": 3, "Details": {}, "Datapoints": 1080, )"
               R"("RuleParameters": "threshold_p95:70\nthreshold_p5:10\nwindow:500\npatience:500"})");
  return folder.path().string();
}

}  // namespace warpscope::tests
