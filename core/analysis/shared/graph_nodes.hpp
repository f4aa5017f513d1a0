#pragma once
// Nodes of CUDA graphs beyond kernels and memory operations: host callbacks, which occupy their stream while the GPU
// may be idle, and the recorded dependencies between the nodes of one replay.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns true if a call with this name launches a CUDA or HIP graph.
[[nodiscard]] inline bool is_graph_launch(std::string_view name) {
  return name.find("GraphLaunch") != std::string_view::npos;
}

/// A host callback in a CUDA graph.
struct HostNode {
  Interval time;
  std::uint32_t track = 0;  ///< its stream
  trace::SliceOrdinal slice = 0;
};

/// Returns the host callbacks on a rank's device, by start. O(slices on the device's streams), or O(categories) if the
/// rank has none.
[[nodiscard]] std::vector<HostNode> host_nodes(const trace::Profile& profile, std::uint32_t rank, std::uint32_t device);

/// Returns their times, joined.
[[nodiscard]] std::vector<Interval> times_of(const std::vector<HostNode>& nodes);

/// Returns the number of GPU activities with a known launch.
[[nodiscard]] std::uint64_t linked_activity(const trace::Profile& profile, const trace::Rank& rank);

/// Returns the nodes that a node of a CUDA graph waits for: GPU activity and host callbacks of the same replay. Event
/// records are replaced by the nodes that they wait for. Empty if no dependencies are recorded. O(log n + k).
[[nodiscard]] std::vector<trace::SliceOrdinal> awaited_nodes(const trace::Profile& profile, const trace::Rank& rank,
                                                             trace::SliceOrdinal node);

/// Returns the one of them that ends last.
[[nodiscard]] std::optional<trace::SliceOrdinal> last_awaited_node(const trace::Profile& profile,
                                                                   const trace::Rank& rank, trace::SliceOrdinal node);

/// Returns the launch of a node. If a host callback lost its own, returns that of a node next to it.
[[nodiscard]] std::optional<trace::SliceOrdinal> launch_of_node(const trace::Profile& profile, const trace::Rank& rank,
                                                                trace::SliceOrdinal node);

}  // namespace warpscope::analysis
