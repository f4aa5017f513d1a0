#include "tests/tracegen/system_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>

#include "tests/tracegen/random.hpp"

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kAround = 30 * kSecond;  // time before and after the recording
constexpr int kCoresPerGpu = 4;
constexpr std::int64_t kWhole = 10'000;  // 100.00 %

/// Value of a metric at one time, in hundredths.
class Load {
 public:
  Load(std::uint64_t seed, bool recording) : random_(seed), recording_(recording) {}

  std::int64_t share(std::int64_t idle, std::int64_t busy) {
    const std::int64_t mean = recording_ ? busy : idle;
    return std::clamp<std::int64_t>(mean + random_.below(1500) - 750, 0, kWhole);
  }
  std::int64_t rate(std::int64_t mean) { return random_.around(recording_ ? mean : mean / 20 + 1, 30) * 100; }

 private:
  Random random_;
  bool recording_;
};

std::string path_of(std::int64_t minute, int node) {
  const auto seconds = static_cast<std::time_t>(minute / kSecond);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("profiler-output/system/incremental/{:04}{:02}{:02}{:02}/{}.algo-{}.json", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, minute / kSecond, node + 1);
}

class NodeWriter {
 public:
  NodeWriter(const Options& options, int node, const OpenFile& open_file, Truth& truth)
      : options_(options), node_(node), open_file_(open_file) {
    truth.metrics.emplace_back();
    truth_ = &truth.metrics.back();
    truth_->node = fmt::format("algo-{}", node + 1);
  }

  void run(std::int64_t begin, std::int64_t end) {
    std::int64_t minute = 0;
    for (std::int64_t time = begin - kAround; time < end + kAround; time += options_.metrics_interval_ns) {
      if (time / kMinute * kMinute != minute) {
        close();
        minute = time / kMinute * kMinute;
        file_ = open_file_(path_of(minute, node_));
        ++truth_->files;
      }
      // Agents sample a few hundred µs late.
      Random jitter(options_.seed * 31 + static_cast<std::uint64_t>(time + node_));
      snapshot((time + jitter.below(400'000)) / 1000 * 1000, time >= begin && time < end);
    }
    close();
  }

 private:
  void snapshot(std::int64_t time, bool recording) {
    Load load(options_.seed ^ static_cast<std::uint64_t>(time) ^ static_cast<std::uint64_t>(node_) << 40U, recording);
    for (int gpu = 0; gpu < options_.gpus; ++gpu) {
      const std::string name = fmt::format("gpu{}", gpu);
      sample("gpu", name, "GPUUtilization", load.share(0, 8600), time);
      sample("gpu", name, "GPUMemoryUtilization", load.share(1200, 7300) / 100 * 100, time);
    }
    for (int core = 0; core < options_.gpus * kCoresPerGpu; ++core) {
      const std::string name = fmt::format("cpu{}", core);
      const std::int64_t used = load.share(300, core % kCoresPerGpu == 0 ? 9100 : 2600);
      sample("cpu", name, "CPUUtilization", used, time + 40'000);
      sample("cpu", name, "I/OWaitPercentage", used / (core % 7 + 4), time + 40'000);
    }
    sample("i/o", "IOPS", "", load.rate(1400), time + 140'000);
    sample("i/o", "ReadThroughputInBytesPerSecond", "", load.rate(310'000'000), time + 140'000);
    sample("i/o", "WriteThroughputInBytesPerSecond", "", load.rate(9'000'000), time + 140'000);
    sample("memory", "MemoryUsedPercent", "", load.share(900, 2300), time + 560'000);
    for (const char* interface : {"Algorithm", "Platform"}) {
      sample("network", "ReceiveBytesPerSecond", interface, load.rate(42'000'000), time + 4'256'000);
      sample("network", "TransmitBytesPerSecond", interface, load.rate(39'000'000), time + 4'256'000);
    }
  }

  void sample(const char* type, const std::string& name, const char* dimension, std::int64_t hundredths,
              std::int64_t time) {
    const std::string line = fmt::format(
        R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":{}.{:02},"NodeId":"{}","Timestamp":{}.{:06}}})"
        "\n",
        type, name, dimension, hundredths / 100, hundredths % 100, truth_->node, time / kSecond, time % kSecond / 1000);
    file_->write(line);
    MetricTruth& series = truth_->series[fmt::format("{}/{}/{}", type, name, dimension)];
    ++series.samples;
    series.hundredths += hundredths;
    series.last_hundredths = hundredths;
    if (series.samples == 1) series.first_ns = time;
    series.last_ns = time;
  }

  void close() {
    if (file_) file_->close();
    file_ = nullptr;
  }

  const Options& options_;
  int node_;
  const OpenFile& open_file_;
  MetricsTruth* truth_ = nullptr;
  std::unique_ptr<ByteSink> file_;
};

}  // namespace

void write_system_metrics(const Options& options, const std::vector<Place>& where,
                          const std::vector<std::int64_t>& ends, const OpenFile& open_file, Truth& truth) {
  truth.metrics.reserve(static_cast<std::size_t>(options.nodes));
  for (int node = 0; node < options.nodes; ++node) {
    std::int64_t begin = where.front().start_ns;
    std::int64_t end = ends.front();
    for (std::size_t i = 0; i < where.size(); ++i) {
      begin = std::min(begin, where[i].start_ns);
      end = std::max(end, ends[i]);
    }
    NodeWriter(options, node, open_file, truth).run(begin, end);
  }
  open_file("profiler-output/system/training_job_end.ts")->close();
}

}  // namespace warpscope::tracegen
