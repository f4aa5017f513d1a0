#pragma once
// Modules of kernels in CUDA graphs. A replay runs no Python, but annotations recorded during the capture are arguments
// of the replayed kernels: the qualified name of the module, "layers.0.mlp", or the name of a marked region.
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/shared/graph_nodes.hpp"

namespace warpscope::analysis {

/// Maps GPU activity to modules.
using GraphModules = std::unordered_map<trace::SliceOrdinal, std::string>;

/// Returns the modules of the rows that a graph launch launched, as far as they are annotated. `rows`: of the rank.
/// Errors: as EventLookup::read_each.
[[nodiscard]] Result<GraphModules> graph_modules_of(const AnalysisInput& input, std::uint32_t rank,
                                                    const GpuRows::Rows& rows);

}  // namespace warpscope::analysis
