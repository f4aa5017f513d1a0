#include "tests/tracegen/framework_timelines.hpp"

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <string>

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kFirstProcess = 300;

class TimelineFileWriter {
 public:
  explicit TimelineFileWriter(std::int64_t base) {
    text_ = fmt::format(
        "[\n"
        R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {}}}}},)"
        "\n"
        R"({{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {{"sort_index": 0}}}})",
        base);
  }
  /// Announces a phase.
  void phase(int number, std::string_view name) {
    text_ += fmt::format(
        ",\n"
        R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "{}"}}}})"
        ",\n"
        R"({{"name": "process_sort_index", "ph": "M", "pid": {}, "args": {{"sort_index": {}}}}})",
        number, name, number, number);
  }
  void slice(int phase, std::string_view name, std::int64_t begin, std::int64_t length, const std::string& arguments) {
    text_ += fmt::format(
        ",\n"
        R"({{"name": "{}", "pid": {}, "ph": "X", "ts": {}, "dur": {}, "args": {{{}}}}})",
        name, phase, begin, length, arguments);
  }
  [[nodiscard]] std::string text() const { return text_ + "\n]\n"; }

 private:
  std::string text_;
};

std::string hour_of(std::int64_t microseconds) {
  const auto seconds = static_cast<std::time_t>(microseconds / 1'000'000);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}{:02}{:02}{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour);
}

void write_process(const TimelineOptions& options, int node, int index, const OpenFile& open_file) {
  const int rank = node * options.processes + index;
  const std::int64_t pid = kFirstProcess + rank;
  const std::string writer = fmt::format("{}-algo-{}", options.named_by_rank ? rank : pid, node + 1);
  const std::int64_t unit = options.step_us / 20;
  std::int64_t at = unit;
  for (int half = 0; half < 2; ++half) {
    TimelineFileWriter file(options.start_us);
    // Numbers of phases differ from file to file.
    const auto phase = [&](int number) { return half == 0 ? number : 7 - number; };
    file.phase(phase(1), "Step:ModeKeys.TRAIN");
    file.phase(phase(2), "Forward");
    file.phase(phase(3), "Backward(post-forward)");
    file.phase(phase(4), "DataLoaderIter");
    file.phase(phase(5), "cpu_functions");
    file.phase(phase(6), fmt::format("gpu_functions-dev:{}", index));
    const int first = half == 0 ? 0 : options.steps / 2;
    const int last = half == 0 ? options.steps / 2 : options.steps;
    for (int step = first; step < last; ++step) {
      const std::int64_t scale = step == options.slow_step ? 3 : 1;
      const std::string of_step = fmt::format(R"("step_num": "{}", "pid": {})", step, pid);
      file.slice(phase(4), "fetch", at, 2 * unit * scale, fmt::format(R"("pid": {}, "worker_id": 0)", pid + 1000));
      at += 2 * unit * scale;
      file.slice(phase(1), "Step:ModeKeys.TRAIN", at, 16 * unit * scale, of_step);
      file.slice(phase(2), "Forward", at, 7 * unit * scale, of_step);
      file.slice(phase(3), "Backward(post-forward)", at + 7 * unit * scale, 9 * unit * scale, of_step);
      file.slice(phase(5), "aten::mm", at + unit, unit, R"("tid": 1, "device": "cpu")");
      file.slice(phase(6), "volta_sgemm_128x64_nn", at + 2 * unit, 5 * unit * scale,
                 fmt::format(R"("event_name": "aten::mm", "device": {}, "start_cpu_thread": 1, )"
                             R"("cpu_thread_start_time": {})",
                             index, options.start_us + at + unit));
      at += 18 * unit * scale;
    }
    const std::int64_t end = options.start_us + at;
    const auto sink = open_file(
        fmt::format("profiler-output/framework/pevents/{}/{}_{}_pythontimeline.json", hour_of(end), end, writer));
    sink->write(file.text());
    sink->close();
  }
}

}  // namespace

void write_framework_timelines(const TimelineOptions& options, const OpenFile& open_file) {
  for (int node = 0; node < options.nodes; ++node)
    for (int index = 0; index < options.processes; ++index) write_process(options, node, index, open_file);
}

}  // namespace warpscope::tracegen
