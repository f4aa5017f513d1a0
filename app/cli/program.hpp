#pragma once
// The entry point of the command line: selects the command and parses its options.
#include <vector>

#include "app/cli/arguments.hpp"

namespace warpscope::cli {

/// Runs the command specified by the arguments and returns the exit status (see exit_status.hpp).
int run_program(int argc, char** argv);

/// Returns the program's own options, followed by those of each command in --help order. docs/cli.md is
/// generated from them.
[[nodiscard]] std::vector<CommandText> command_texts();

}  // namespace warpscope::cli
