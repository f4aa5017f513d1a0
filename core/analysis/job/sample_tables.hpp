#pragma once
// Tables of sampled percentages by node and GPU: quartiles, histograms of utilization, and distances between
// histograms. Shown by the metric_distribution analysis and by SageMaker Debugger's rules.
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

// Distributions of sampled percentages, as in SageMaker Debugger's report: quartiles with whiskers, histograms of
// utilization, and distances between them. Used by the metric_distribution analysis and the rules.

/// Quartiles and whiskers. Whiskers extend 1.5 interquartile ranges beyond the quartiles, but not beyond the smallest
/// and largest value.
struct Box {
  std::size_t count = 0;
  double min = 0, p5 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0, max = 0;
  double lower = 0, upper = 0;
};

/// Returns zeros if there are no values. O(n log n).
[[nodiscard]] Box box_of(std::vector<double> values);

/// Appends the columns of a box plot of percentages, "p50" to "samples"; append_box_cells() appends the matching cells,
/// as fractions.
void append_box_columns(std::vector<Column>& columns);
void append_box_cells(std::vector<Cell>& cells, const Box& box);

/// Columns drawn by a box plot.
struct BoxColumns {
  std::size_t lower = 0, p25 = 0, p50 = 0, p75 = 0, upper = 0;
};
/// Finds the columns that append_box_columns() added; nullopt for other tables.
[[nodiscard]] std::optional<BoxColumns> box_columns(const Table& table);

/// Number of samples by utilization, in 2 % bins; the last bin includes 100 %.
using Workload = std::array<double, 50>;
/// Same, but with AWS's bins: 0 to 98 %. The last bin includes 98 %; samples above 98 % are dropped.
using AwsWorkload = std::array<double, 49>;
inline constexpr double kWorkloadBin = 2;  // %

[[nodiscard]] Workload workload_of(std::span<const double> percentages);
[[nodiscard]] AwsWorkload aws_workload_of(std::span<const double> percentages);

/// Square root of the Jensen-Shannon divergence of two histograms: 0 if identical, 0.83 if disjoint. AWS
/// averages the counts instead of the fractions (`of_counts`); results differ if the sample counts differ.
[[nodiscard]] double workload_distance(std::span<const double> p, std::span<const double> q, bool of_counts = false);

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
