#pragma once
// Code shared by SageMaker Debugger's rules for system metrics: series per node, node snapshots, and minute-by-minute
// evaluation. For profiles without system metrics, GPU utilization is computed from the traces once per `interval` (a
// rule parameter).
//
// Debugger's rules accumulate data, evaluate it after each minute of data, and report an issue if any evaluation
// finds one. A rule is first evaluated once it has more than `patience` samples.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/job/sample_tables.hpp"
#include "core/base/time.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::rules {

struct SampledSeries {
  std::string node;  ///< "algo-1"
  std::string name;  ///< "GPU 3"
  std::uint32_t instance = 0;
  std::vector<Ns> times;                ///< ascending
  std::vector<double> values;           ///< one per time
  std::optional<MetricRows> rows{};     ///< set for series from system metrics
  std::optional<std::uint32_t> rank{};  ///< index; set for series from traces
};

/// Returns a place in a series, with its row in the Timeline.
[[nodiscard]] Place place_in(const SampledSeries& series, std::string text, Interval time);

/// Adds the samples of a counter; skips unknown values.
void add_samples(SampledSeries& series, const trace::Counter& counter);
/// Returns a metric's series on all nodes, without unknown values.
[[nodiscard]] std::vector<SampledSeries> sampled_series(Facts& facts, trace::Metric metric);

/// GPU utilization on all nodes. Without system metrics, it is computed from the traces as the percentage of each
/// interval during which the GPU is busy.
struct GpuSamples {
  std::vector<SampledSeries> gpus;
  Ns trace_interval = 0;  ///< interval of samples from traces, longer than requested for long profiles; 0 for system
                          ///< metrics

  /// Returns " (utilization per 500 ms, computed from the traces)"; "" for system metrics.
  [[nodiscard]] std::string source() const;
};
[[nodiscard]] GpuSamples gpu_samples(Facts& facts, Ns trace_interval);

/// Converts series for tables and appends `suffix` to their names. The result points into `series`.
[[nodiscard]] std::vector<analysis::NamedSamples> named(const std::vector<SampledSeries>& series,
                                                        std::string_view suffix = {});

/// Returns the samples as a chart.
[[nodiscard]] Evidence samples_of(Facts& facts, std::string title, const SampledSeries& series);

/// A node's samples taken at about the same time, at most 20 ms apart.
struct Snapshot {
  Ns time = 0;
  std::uint32_t low_gpus = 0;    ///< number of GPUs below the limit
  std::uint32_t high_cores = 0;  ///< number of cores above the limit
};
struct NodeSnapshots {
  std::string node;
  std::uint32_t node_index = 0;  ///< index into Profile::nodes
  std::vector<Snapshot> snapshots;
};
/// Counts the GPUs with utilization below `gpu_below` and the cores with `metric` above `core_above` in each snapshot.
/// Skips nodes without GPUs or cores.
[[nodiscard]] std::vector<NodeSnapshots> node_snapshots(Facts& facts, trace::Metric metric, double gpu_below,
                                                        double core_above);

/// Calls visit(n) at the end of each interval that has data; n is the number of samples seen so far. As in AWS's files,
/// intervals are aligned to the clock minute of the first sample.
void for_each_scan(const std::vector<Ns>& times, Ns interval, const std::function<void(std::size_t)>& visit);
inline constexpr Ns kMinute = 60'000'000'000;

/// Returns the quantile (0 to 1) of values [first, last), by linear interpolation.
[[nodiscard]] double quantile_of(const std::vector<double>& values, std::size_t first, std::size_t last,
                                 double fraction);

/// Returns AWS's counts for a rule that finds nothing. Only the data points of the last series are counted.
[[nodiscard]] AwsCounts counts_of(const std::vector<SampledSeries>& series);

/// Returns the outcome if there are no system metrics for `what`.
[[nodiscard]] Outcome without_metrics(std::string_view what);
/// Returns the outcome for too few samples. `interval`: between samples, ns. `source`: see GpuSamples::source().
[[nodiscard]] Outcome too_few_samples(std::size_t have, std::int64_t patience, Ns interval,
                                      std::string_view source = {});
/// Returns the median time between samples; 0 for fewer than two samples.
[[nodiscard]] Ns interval_of(const std::vector<Ns>& times);

/// Common parameters.
[[nodiscard]] constexpr analysis::Parameter percent_parameter(std::string_view name, std::string_view about,
                                                              std::string_view preset) {
  return analysis::real_parameter(name, about, preset, 0, 100);
}
inline constexpr std::string_view kPatience = "patience";
inline constexpr std::string_view kWindow = "window";
[[nodiscard]] constexpr analysis::Parameter patience_parameter() {
  return analysis::integer_parameter(kPatience, "samples needed before the rule is evaluated", "1000", 1);
}
[[nodiscard]] constexpr analysis::Parameter window_parameter(std::string_view preset, double least = 1) {
  return analysis::integer_parameter(kWindow, "number of latest samples to evaluate", preset, least);
}
inline constexpr std::string_view kScanInterval = "scan_interval_us";
[[nodiscard]] constexpr analysis::Parameter scan_parameter() {
  return analysis::integer_parameter(kScanInterval, "time between evaluations in us", "60000000", 1, 1e12);
}
[[nodiscard]] inline Ns scan_interval(const RuleInput& input) { return input.values.integer(kScanInterval) * 1'000; }
inline constexpr std::string_view kInterval = "interval";
[[nodiscard]] constexpr analysis::Parameter interval_parameter() {
  return {.name = kInterval,
          .about = "sampling interval for GPU utilization computed from traces when there are no system metrics",
          .kind = analysis::ParameterKind::duration,
          .preset = "500ms",
          .least = 1e6,
          .most = 60e9};
}

}  // namespace warpscope::rules
