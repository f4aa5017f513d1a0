#pragma once
// The command line as a whole: which command, with what options.

namespace warpscope::cli {

/// Runs what the arguments ask for and returns the exit status (see exit_status.hpp).
int run_program(int argc, char** argv);

}  // namespace warpscope::cli
