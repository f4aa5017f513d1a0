#pragma once
// Tables of sampled percentages by node and GPU: quartiles, histograms of utilization, and distances between
// histograms. Shown by the metric_distribution analysis and by SageMaker Debugger's rules.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

struct NamedSamples {
  std::string_view node;
  std::string name;                ///< "GPU 3", "CPU"
  std::span<const double> values;  ///< %
};

/// Method for comparing two GPUs. `aws` drops samples above 98 % and weights GPUs by sample count.
enum class Arithmetic : std::uint8_t { ours, aws };

/// Returns a table with the columns "node", "metric", quartiles, whiskers and extremes; omits series without samples.
[[nodiscard]] Table box_table(std::string id, std::string title, std::span<const NamedSamples> series);
/// Returns a histogram of each GPU's utilization: "node", "GPU", "utilization", "samples", "share".
[[nodiscard]] Table workload_table(std::span<const NamedSamples> gpus);

/// Distance between the utilization histograms of two GPUs, given as indices.
struct GpuDistance {
  std::size_t a = 0;
  std::size_t b = 0;
  double distance = 0;
};
inline constexpr std::size_t kMostCompared = 128;
/// Returns the distances between all pairs of GPUs. If there are more than kMostCompared, compares only those that
/// differ most from the mean of all. O(samples + gpus log gpus).
[[nodiscard]] std::vector<GpuDistance> gpu_distances(std::span<const NamedSamples> gpus, Arithmetic arithmetic);
/// Returns gpu_distances() as a table.
[[nodiscard]] Table distances_table(std::span<const NamedSamples> gpus, Arithmetic arithmetic = Arithmetic::ours);

inline constexpr ChartSpec kBoxChart{.table = {}, .kind = ChartKind::boxes};
inline constexpr ChartSpec kWorkloadChart{
    .table = "gpu-workload", .kind = ChartKind::rows, .x = ColumnRole::utilization, .y = ColumnRole::share};

}  // namespace warpscope::analysis
