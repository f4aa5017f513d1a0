#pragma once
// Keys that distinguish events with the same name: their input shapes, the Python code that calls them, or the
// nn.Module they run in. Grouping operators by these keys corresponds to PyTorch's group_by_input_shape and
// group_by_stack_n.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/shared/graph_nodes.hpp"

namespace warpscope::analysis {

/// Assigns small integer ids to strings; 0 is "".
class TextIds {
 public:
  TextIds() { (void)intern(""); }
  std::uint32_t intern(std::string_view text);
  [[nodiscard]] std::string_view view(std::uint32_t id) const { return *texts_[id]; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<const std::string*> texts_;  // keys of ids_, which do not move
};

/// The functions below return, for each event, the id of a string in `texts`. Errors: those of
/// EventLookup::read_each(). Returns shapes as PyTorch prints them, such as "[[32, 64], []]"; "[]" if not recorded.
/// `recorded`: whether any shapes are recorded.
[[nodiscard]] Result<std::vector<std::uint32_t>> shapes_of(const AnalysisInput& input, std::uint32_t rank,
                                                           const std::vector<HostEvent>& events, TextIds& texts,
                                                           bool& recorded);
/// Returns the innermost `depth` Python frames, joined with ";", from python_function slices or, in older traces, from
/// the argument "Call stack".
[[nodiscard]] Result<std::vector<std::uint32_t>> stacks_of(const AnalysisInput& input, std::uint32_t rank,
                                                           const std::vector<HostEvent>& events, std::size_t depth,
                                                           TextIds& texts, bool& recorded);
/// Returns the innermost nn.Module, such as "Linear_3", from python_function slices or the argument "Module Hierarchy".
[[nodiscard]] Result<std::vector<std::uint32_t>> modules_of(const AnalysisInput& input, std::uint32_t rank,
                                                            const std::vector<HostEvent>& events, TextIds& texts,
                                                            bool& recorded);

/// Returns the nn.Module name of a Python frame, such as "Linear_3" for "nn.Module: Linear_3"; "" for other frames.
[[nodiscard]] std::string_view module_of_frame(std::string_view frame);

// Modules of kernels in CUDA graphs. A replay runs no Python, but annotations recorded during the capture are arguments
// of the replayed kernels: the qualified name of the module, "layers.0.mlp", or the name of a marked region.

/// Maps GPU activity to modules.
using GraphModules = std::unordered_map<trace::SliceOrdinal, std::string>;

/// Returns the modules of the rows that a graph launch launched, as far as they are annotated. `rows`: of the rank.
/// Errors: as EventLookup::read_each.
[[nodiscard]] Result<GraphModules> graph_modules_of(const AnalysisInput& input, std::uint32_t rank,
                                                    const GpuRows::Rows& rows);

}  // namespace warpscope::analysis
