#pragma once
// Metrics sampled periodically on a node: CPU cores, GPUs, host memory, network and disk. Series sampled at the same
// times (as all series of one type are) share a time column. Each sample takes 4 bytes plus 2 for the pyramid, in
// addition to the shared times.
//
// Each sample holds until the next one. In a gap (see kGapIntervals), the last sample holds for one interval; after
// that, the value is unknown.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/counter.hpp"

namespace warpscope::trace {

/// Metrics in display order.
enum class Metric : std::uint8_t {
  cpu_utilisation,  ///< % of one core, including I/O wait
  io_wait,          ///< % of one core
  gpu_utilisation,  ///< % of the time in which the GPU was active
  gpu_memory,       ///< % of the GPU's memory in use
  host_memory,      ///< % of the host's memory in use
  network_received,
  network_sent,
  disk_read,
  disk_written,
  disk_operations,  ///< per second
  other,            ///< unknown type or name; shown under its own name
};
inline constexpr std::size_t kMetrics = 11;

/// Returns the metric for the names used in files; `other` if unknown.
[[nodiscard]] Metric metric_of(std::string_view type, std::string_view name, std::string_view dimension);
/// "CPU utilization", "network received" …; "" for `other`.
[[nodiscard]] std::string_view to_string(Metric metric);
/// "%", "B/s", "ops/s"; "" for `other`.
[[nodiscard]] std::string_view unit_of(Metric metric);
/// True for percentages, which are limited to 0 … 100.
[[nodiscard]] constexpr bool is_percentage(Metric metric) { return metric <= Metric::host_memory; }

struct MetricSeries {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  Metric metric = Metric::other;
  std::string type;                ///< as in the file: "cpu", "i/o"
  std::string name;                ///< "cpu3", "ReceiveBytesPerSecond"
  std::string dimension;           ///< "CPUUtilization", "Algorithm", ""
  std::uint32_t instance = kNone;  ///< number at the end of the name of a core or a GPU
  /// Its name() is the full display name: "CPU 3 utilization", "GPU 0 memory (sampled)", "received". Contains NaN where
  /// a gap starts.
  Counter counter;
};

/// Series that were sampled at the same times.
struct MetricColumn {
  struct Series {
    std::string type;
    std::string name;
    std::string dimension;
    std::vector<float> values;  ///< finite; one per time
  };
  std::vector<Ns> times;  ///< strictly ascending
  std::vector<Series> series;
};

class NodeMetrics {
 public:
  /// A period without samples is a gap if it lasts at least this many typical intervals.
  static constexpr Ns kGapIntervals = 5;

  struct Origin {
    std::string node;            ///< "algo-1"
    std::string source;          ///< path of its file, or of the group of its files (see file_group.hpp)
    std::uint64_t files = 0;     ///< number of files
    std::uint64_t bytes = 0;     ///< their size on disk
    std::uint64_t repeated = 0;  ///< duplicate samples, dropped
  };
  NodeMetrics() = default;
  /// Finds intervals and gaps. Each series may occur only once.
  NodeMetrics(Origin origin, std::vector<MetricColumn> columns);

  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::string& node() const { return origin_.node; }
  /// Ordered by metric, then instance, then name.
  [[nodiscard]] std::span<const MetricSeries> series() const { return series_; }
  [[nodiscard]] std::span<const MetricSeries> of(Metric metric) const;
  /// Returns the index in series() of the first series of `metric`, or the index at which it would be inserted.
  [[nodiscard]] std::size_t first_of(Metric metric) const;
  /// Returns the mean over the series of a metric. At each time, only series with a known value are averaged. Available
  /// only for utilization, I/O wait and GPU memory; empty for other metrics, whose mean is meaningless, or if the node
  /// has no such series.
  [[nodiscard]] const Counter& mean(Metric metric) const { return means_[static_cast<std::size_t>(metric)]; }
  /// Returns the samples as passed to the constructor, for store writers.
  [[nodiscard]] std::vector<MetricColumn> columns() const;

  /// From the first sample to one interval after the last; kEmptySpan if there are no samples.
  [[nodiscard]] Interval span() const { return span_; }
  /// Median time between samples of the most frequently sampled series, in ns. 0 if it has fewer than two samples.
  [[nodiscard]] Ns interval() const { return interval_; }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  /// Gaps of the most frequently sampled series within the span.
  [[nodiscard]] const std::vector<Interval>& gaps() const { return gaps_; }
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  void add(MetricColumn column);
  void add_mean(Metric metric);

  Origin origin_;
  std::vector<MetricSeries> series_;
  std::array<Counter, kMetrics> means_;
  std::vector<Counter::Times> columns_;  // including the times where gaps start
  std::size_t most_times_ = 0;
  Interval span_ = kEmptySpan;
  Ns interval_ = 0;
  std::uint64_t samples_ = 0;
  std::vector<Interval> gaps_;
};

}  // namespace warpscope::trace
