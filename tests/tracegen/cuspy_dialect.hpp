#pragma once
// Converts a Kineto trace to what PyTorch's second CUDA backend writes for the same job: memcpys and memsets without
// direction in their names, GPU activity without External ids, occupancy and bandwidth, fewer runtime calls, and
// dependencies between the nodes of CUDA graphs as flows.
#include <string>
#include <string_view>

namespace warpscope::tracegen {

/// Throws std::runtime_error if `kineto` is not a trace.
[[nodiscard]] std::string cuspy_of(std::string_view kineto);

}  // namespace warpscope::tracegen
