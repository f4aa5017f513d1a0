#pragma once
// What a slice is connected with, as the rows of the Connections tab: its launch and all runs of that launch, and the
// forward or backward operators it belongs to. The slice itself is one of them, so that stepping through the rows goes
// round.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/slices/launch_latency.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

enum class ConnectionEnd : std::uint8_t { launch, run, forward, backward, flow_start, flow_end };

[[nodiscard]] std::string_view to_string(ConnectionEnd end);

struct ConnectionRow {
  ConnectionEnd end = ConnectionEnd::launch;
  trace::SliceRef slice;
  std::optional<analysis::LaunchLatency> latency{};  ///< of a run
};

/// Launch first, then its runs by begin; then forward and backward, or the ends of a flow. Empty if nothing is
/// connected. O(log n + k).
[[nodiscard]] std::vector<ConnectionRow> connection_rows(const trace::Profile& profile, trace::SliceRef slice);

/// The row before (-1) or after (+1) the slice's own, going round; nullopt if there is no other.
[[nodiscard]] std::optional<trace::SliceRef> step_connection(const trace::Profile& profile, trace::SliceRef slice,
                                                             int direction);

}  // namespace warpscope::ui
