#pragma once
// Quantiles of each node's system metrics, as in SageMaker Debugger's OverallSystemUsage. Used by the system_usage
// analysis, the rule and the report.
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Statistics for one of a node's metrics over all its samples. GPU, CPU, GPU memory and I/O wait are means over the
/// node's GPUs or cores at each sample; network is the bytes received plus the bytes sent on the job's own interface.
/// Performance counters are sums over the CPUs.
struct NodeUsage {
  std::uint32_t node = 0;  ///< index into Profile::nodes
  std::string_view metric;
  std::string_view unit;  ///< "%", "B/s", "ops/s" or "/s"; "" if unknown
  std::size_t samples = 0;
  double max = 0;
  double p99 = 0;
  double p95 = 0;
  double p50 = 0;
  double min = 0;
};
inline constexpr std::string_view kGpuUsage = "GPU";
inline constexpr std::string_view kCpuUsage = "CPU";

/// Returns the metrics node by node: GPU, CPU, GPU memory, host memory, I/O wait, network, disk, and other metrics of
/// the whole node, such as performance counters. Omits metrics without samples. If `range` is set, includes only
/// samples in it. Names remain valid as long as the profile exists.
[[nodiscard]] std::vector<NodeUsage> system_usage(const trace::Profile& profile, std::optional<Interval> range = {});

}  // namespace warpscope::analysis
