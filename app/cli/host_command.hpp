#pragma once
// Runs a command where its traces are: `warpscope rules ssh://node7/job` runs `warpscope rules /job` on node7. Only its
// output crosses the network.
#include <optional>

#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Runs the command line on the host of its remote PATH. Returns nullopt if it must run here: no path or several are
/// remote, or an option names a file of this machine.
[[nodiscard]] std::optional<ExitStatus> run_on_host(int argc, char** argv);

/// On such a host: ends the program when its connection closes. No-op elsewhere.
void end_with_connection();

}  // namespace warpscope::cli
