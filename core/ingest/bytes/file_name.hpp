#pragma once
// Parses trace file names: ranks, and PyTorch's default pattern `host_pid.time.pt.trace.json`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::ingest {

/// Returns the number after "rank" or, failing that, after "worker": `rank-0.Apr_03.json`, `worker3_step_12….json`,
/// `rank0_iter16.json`.
[[nodiscard]] std::optional<std::int64_t> rank_in_file_name(std::string_view file_name);

struct HostAndProcess {
  std::string host;
  std::int64_t process = 0;
};

/// Splits `host_pid.time.pt.trace.json`. The result is only a guess until the pid is found in the trace:
/// `worker0_step_12.1694128201545.pt.trace.json` has no host.
[[nodiscard]] std::optional<HostAndProcess> host_in_file_name(std::string_view file_name);

}  // namespace warpscope::ingest
