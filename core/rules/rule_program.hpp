#pragma once
// Runs the program of a user's rule. Programs are not sandboxed, but they cannot block the evaluation: whatever they do
// with their standard streams, they end within the time limit, together with the processes they started.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace warpscope::rules {

struct ProgramRun {
  std::string answer;    ///< standard output, at most 1 MB
  std::string messages;  ///< standard error, likewise
  std::string problem;   ///< reason for failure, such as "exited with status 3"; "" on success
};

/// Runs `command` and returns what it prints. `input` is written to its standard input, which is a pipe; it does not
/// have to be read. The run ends when the program exits. It fails if the program cannot be started, does not exit with
/// 0, prints too much, runs for more than `longest`, or is `cancelled`; the last three kill it. In all cases, kills
/// what is left of its process group. The group also ends if this process does, by whatever signal.
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                                     std::chrono::milliseconds longest, const std::function<bool()>& cancelled);

}  // namespace warpscope::rules
