#pragma once
// A program that a command runs: started with the signals and the streams that the user gave, watched without waiting.
#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Exit statuses of a program that could not be started, as shells have them.
inline constexpr auto kNotExecutable = static_cast<ExitStatus>(126);
inline constexpr auto kNotFound = static_cast<ExitStatus>(127);

class ChildProcess {
 public:
  /// Starts `command`, which is searched on the PATH, with these signals blocked. `variables` ("NAME=value") are set in
  /// its environment unless it has them already. On errors failed() is set.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& variables,
               const sigset_t& blocked);

  /// The error number if the program could not be started; else 0.
  [[nodiscard]] int failed() const { return failed_; }
  /// Returns its exit status once it has ended; 128 plus the signal if one ended it.
  [[nodiscard]] std::optional<ExitStatus> ended();
  /// True if signals to the process group of this process reach it. Programs such as setsid leave the group.
  [[nodiscard]] bool shares_group() const;
  /// Passes a signal on. No-op if it has ended.
  void send(int signal) const;

 private:
  pid_t process_ = -1;
  int failed_ = 0;
  std::optional<ExitStatus> status_;
};

}  // namespace warpscope::cli
