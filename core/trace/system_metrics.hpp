#pragma once
// What a node measured of itself while it worked: CPU cores, GPUs, host memory, network and disk, sampled at intervals.
// Series that were sampled at the same times, as those of one type are, share their column of times: 4 bytes a sample,
// 2 for the pyramid, and the shared times.
//
// A sample holds until the next one. Where none came for long (see kGapIntervals) the last one holds for one interval,
// and then nothing is known.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/counter.hpp"

namespace warpscope::trace {

/// What is measured, in the order in which it is shown.
enum class Metric : std::uint8_t {
  cpu_utilisation,  ///< % of one core, waiting for input and output included
  io_wait,          ///< % of one core
  gpu_utilisation,  ///< % of the time that something ran on the GPU
  gpu_memory,       ///< % of the GPU's memory in use
  host_memory,      ///< % of the host's memory in use
  network_received,
  network_sent,
  disk_read,
  disk_written,
  disk_operations,  ///< per second
  other,            ///< of a type or a name that is not known: shown as it is called
};
inline constexpr std::size_t kMetrics = 11;

/// Of what the file calls it; `other` for what is not known.
[[nodiscard]] Metric metric_of(std::string_view type, std::string_view name, std::string_view dimension);
/// "CPU utilization", "network received" …; of `other` "".
[[nodiscard]] std::string_view to_string(Metric metric);
/// "%", "B/s", "ops/s"; of `other` "".
[[nodiscard]] std::string_view unit_of(Metric metric);
/// Of a share in percent: nothing but 0 … 100 can be.
[[nodiscard]] constexpr bool is_percentage(Metric metric) { return metric <= Metric::host_memory; }

struct MetricSeries {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  Metric metric = Metric::other;
  std::string type;                ///< as the file has it: "cpu", "i/o"
  std::string name;                ///< "cpu3", "ReceiveBytesPerSecond"
  std::string dimension;           ///< "CPUUtilization", "Algorithm", ""
  std::uint32_t instance = kNone;  ///< the number at the end of the name of a core or a GPU
  /// Its name() says it all: "CPU 3 utilization", "GPU 0 memory (sampled)", "received (Algorithm)". Beside the samples
  /// stand values that are not numbers: where nothing is known any more.
  Counter counter;
};

/// Series that were sampled at the same times.
struct MetricColumn {
  struct Series {
    std::string type;
    std::string name;
    std::string dimension;
    std::vector<float> values;  ///< finite, as many as there are times
  };
  std::vector<Ns> times;  ///< ascending, each once
  std::vector<Series> series;
};

class NodeMetrics {
 public:
  /// So many usual intervals without a sample are a gap.
  static constexpr Ns kGapIntervals = 5;

  struct Origin {
    std::string node;            ///< "algo-1"
    std::string folder;          ///< where its files were found
    std::uint64_t files = 0;     ///< how many
    std::uint64_t bytes = 0;     ///< of these on disk
    std::uint64_t stamp = 0;     ///< of their names, sizes and modification times: which state was read
    std::uint64_t repeated = 0;  ///< samples that came again, and are there once
  };
  NodeMetrics() = default;
  /// Finds intervals and gaps. No series comes twice.
  NodeMetrics(Origin origin, std::vector<MetricColumn> columns);

  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::string& node() const { return origin_.node; }
  /// Ordered by metric, then instance, then name.
  [[nodiscard]] std::span<const MetricSeries> series() const { return series_; }
  [[nodiscard]] std::span<const MetricSeries> of(Metric metric) const;
  /// Index in series() of the first one of `metric`, or of where it would stand.
  [[nodiscard]] std::size_t first_of(Metric metric) const;
  /// The mean over the series of a metric, at each of their times over those that hold a value then; empty if the node
  /// has none. Of utilisations, I/O wait and memory of GPUs; of others it would say nothing and is empty.
  [[nodiscard]] const Counter& mean(Metric metric) const { return means_[static_cast<std::size_t>(metric)]; }
  /// The samples alone, as they were given: for whoever writes them down.
  [[nodiscard]] std::vector<MetricColumn> columns() const;

  /// From the first sample to one interval after the last; kEmptySpan if there are none.
  [[nodiscard]] Interval span() const { return span_; }
  /// Usual time between two samples: the median, of what was sampled most often. 0 if there are not two.
  [[nodiscard]] Ns interval() const { return interval_; }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  /// Within the span, where nothing of what was sampled most often is known.
  [[nodiscard]] const std::vector<Interval>& gaps() const { return gaps_; }
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  void add(MetricColumn column);
  void add_mean(Metric metric);

  Origin origin_;
  std::vector<MetricSeries> series_;
  std::array<Counter, kMetrics> means_;
  std::vector<Counter::Times> columns_;  // with times of silence
  std::size_t most_times_ = 0;
  Interval span_ = kEmptySpan;
  Ns interval_ = 0;
  std::uint64_t samples_ = 0;
  std::vector<Interval> gaps_;
};

}  // namespace warpscope::trace
