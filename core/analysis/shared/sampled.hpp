#pragma once
// Utilization as SageMaker Debugger's agents sampled it, the other source of the panels of GPUs and CPUs: per node, a
// series for each core or GPU. A sample holds until the next one; in gaps nothing is known, and they count for nothing.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {

/// "source" of an analysis that has two: what the trace tells, and what was sampled. `about` says which auto takes.
[[nodiscard]] constexpr Parameter source_parameter(std::span<const std::string_view> choices, std::string_view about) {
  return {.name = "source", .about = about, .kind = ParameterKind::choice, .preset = "auto", .choices = choices};
}
inline constexpr std::string_view kSampled = "sampled";
/// The column of counts of sampled_active_tables().
inline constexpr std::string_view kSamples = "samples";

/// The nodes of the scope (those of its ranks; all of them if it names none) that sampled a metric: indices into
/// Profile::nodes.
[[nodiscard]] std::vector<std::uint32_t> nodes_sampling(const trace::Profile& profile, const Scope& scope,
                                                        trace::Metric metric);

/// Whether the input asks for samples, or asks for `auto` and `preferred` is true. Errors: they are asked for by name
/// and there are none.
[[nodiscard]] Result<bool> wants_samples(const AnalysisInput& input, trace::Metric metric, bool preferred);

/// What is looked at of samples: the scope's range, else all, which may begin long before the traces do.
[[nodiscard]] Interval sampled_extent(const trace::Profile& profile, const Scope& scope);

/// How many samples of the metric's series were above 0 and how many at 0, as SageMaker Profiler counted: "state"
/// (active, idle), "samples", "share"; then a table of each series. A sample counts if it holds anywhere in what is
/// looked at, so that there is one wherever the series below shows something. The notes of both tell the mean of these
/// samples: the share of active ones is none. Id and title of the first are those of `like`.
[[nodiscard]] std::vector<Table> sampled_active_tables(const AnalysisInput& input, trace::Metric metric,
                                                       const Table& like);

/// The mean over each node's series in each bin: "node", "begin", "end", "utilization", missing where nothing is known;
/// then a table of each series' mean, least and greatest in all. Errors: those of time_bins().
[[nodiscard]] Result<std::vector<Table>> sampled_series_tables(const AnalysisInput& input, trace::Metric metric,
                                                               const Table& like);

}  // namespace warpscope::analysis
