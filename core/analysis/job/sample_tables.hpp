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
/// Returns a table of distances between each pair of GPU histograms.
[[nodiscard]] Table distances_table(std::span<const NamedSamples> gpus, Arithmetic arithmetic = Arithmetic::ours);
/// Returns the distance between two GPUs.
[[nodiscard]] double distance_of(const NamedSamples& a, const NamedSamples& b, Arithmetic arithmetic);

inline constexpr ChartSpec kBoxChart{.table = {}, .kind = ChartKind::boxes};
inline constexpr ChartSpec kWorkloadChart{
    .table = "gpu-workload", .kind = ChartKind::rows, .x = ColumnRole::utilization, .y = ColumnRole::share};

}  // namespace warpscope::analysis
