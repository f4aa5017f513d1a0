#pragma once
// Rows of the Connections tab: a slice's launch, all GPU activity from that launch, the nodes of its CUDA graph that
// it waits for or that wait for it, and the slice's forward or backward operators. The slice itself is one of the rows,
// so stepping through them wraps around.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/slices/launch_latency.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

enum class ConnectionEnd : std::uint8_t {
  launch,
  run,
  predecessor,  ///< node of a CUDA graph that the slice waits for
  node,         ///< the slice itself, if its launch is not recorded
  successor,
  forward,
  backward,
  flow_start,
  flow_end,
};

[[nodiscard]] std::string_view to_string(ConnectionEnd end);

struct ConnectionRow {
  ConnectionEnd end = ConnectionEnd::launch;
  trace::SliceRef slice;
  std::optional<analysis::LaunchLatency> latency{};  ///< for GPU activity
};

/// Returns the launch, its GPU activity by start time, the dependencies in a CUDA graph, then the forward and backward
/// operators or the ends of a flow.
/// Empty if the slice has no connections. O(log n + k).
[[nodiscard]] std::vector<ConnectionRow> connection_rows(const trace::Profile& profile, trace::SliceRef slice);

/// Returns the slice in the previous (-1) or next (+1) row, wrapping around; nullopt if there is no other row.
[[nodiscard]] std::optional<trace::SliceRef> step_connection(const trace::Profile& profile, trace::SliceRef slice,
                                                             int direction);

}  // namespace warpscope::ui
