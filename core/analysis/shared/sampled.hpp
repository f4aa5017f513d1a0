#pragma once
// Utilization sampled by SageMaker Debugger's agents, the second data source for the GPU and CPU panels. Each core or
// GPU on a node has its own series. Each sample is valid until the next one. Utilization in gaps is unknown, so gaps do
// not count.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {

/// Returns the "source" parameter of analyses that can use either the trace or samples. `about` describes which one
/// `auto` chooses.
[[nodiscard]] constexpr Parameter source_parameter(std::span<const std::string_view> choices, std::string_view about) {
  return choice_parameter("source", about, choices);
}
inline constexpr std::string_view kSampled = "sampled";

/// Returns the scope's nodes (those of its ranks, or all if it has no ranks) that sampled a metric: indices into
/// Profile::nodes.
[[nodiscard]] std::vector<std::uint32_t> nodes_sampling(const trace::Profile& profile, const Scope& scope,
                                                        trace::Metric metric);

/// True if the input requests samples, or requests `auto` and samples are `preferred` and exist. Fails if samples are
/// explicitly requested but do not exist.
[[nodiscard]] Result<bool> wants_samples(const AnalysisInput& input, trace::Metric metric, bool preferred);

/// Returns the time range of samples: the scope's range if set, otherwise that of all samples, which may start long
/// before the traces.
[[nodiscard]] Interval sampled_extent(const trace::Profile& profile, const Scope& scope);

/// Counts samples above 0 and equal to 0 across the metric's series, as SageMaker Profiler did: "state" (active, idle),
/// "samples", "share"; then a table per series. A sample counts if it is valid anywhere in the range, so there is at
/// least one sample if the series has a value there. The notes contain the mean of these samples, which differs from
/// the percentage of active samples. The first table has the id and title of `like`.
[[nodiscard]] std::vector<Table> sampled_active_tables(const AnalysisInput& input, trace::Metric metric,
                                                       const Table& like);

/// Returns the mean over each node's series for each bin: "node", "begin", "end", "utilization", empty if unknown; then
/// a table with mean, min and max of each series. Fails like time_bins().
[[nodiscard]] Result<std::vector<Table>> sampled_series_tables(const AnalysisInput& input, trace::Metric metric,
                                                               const Table& like);

}  // namespace warpscope::analysis
