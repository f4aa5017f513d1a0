#pragma once
// A child process run by a command. It starts with the user's signal handling and standard streams, and is monitored
// without blocking.
#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Exit statuses for programs that could not be started, as used by shells.
inline constexpr auto kNotExecutable = static_cast<ExitStatus>(126);
inline constexpr auto kNotFound = static_cast<ExitStatus>(127);

class ChildProcess {
 public:
  /// Looks up `command` in the PATH and starts it with the signal mask `blocked`. The `variables` ("NAME=value") are
  /// set in its environment. On failure, failed() returns the error number.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& variables,
               const sigset_t& blocked);

  /// Returns the error number if the program could not be started, otherwise 0.
  [[nodiscard]] int failed() const { return failed_; }
  /// Returns the exit status once the program has ended; 128 plus the signal number if it was killed by a signal.
  [[nodiscard]] std::optional<ExitStatus> ended();
  /// True if signals sent to this process's group reach the program. Programs such as setsid leave the group.
  [[nodiscard]] bool shares_group() const;
  /// Forwards a signal. No-op if the program has ended.
  void send(int signal) const;

 private:
  pid_t process_ = -1;
  int failed_ = 0;
  std::optional<ExitStatus> status_;
};

}  // namespace warpscope::cli
