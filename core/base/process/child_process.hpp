#pragma once
// A child process. It starts with the user's signal handling and is monitored without blocking.
#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace warpscope {

/// Exit statuses for programs that could not be started, as used by shells.
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;
/// Added to the number of the signal that killed a program.
inline constexpr int kKilledBy = 128;

/// Descriptors for the child's streams; negative: this process's own.
struct ChildStreams {
  int input = -1;
  int output = -1;
  int messages = -1;
};

class ChildProcess {
 public:
  /// Looks up `command` in the PATH and starts it with the signal mask `blocked`. The `variables` ("NAME=value") are
  /// set in its environment. On failure, failed() returns the error number.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& variables,
               const sigset_t& blocked, const ChildStreams& streams = {});

  /// Returns the error number if the program could not be started, otherwise 0.
  [[nodiscard]] int failed() const { return failed_; }
  /// Returns the exit status once the program has ended; kKilledBy plus the signal number if it was killed by a signal.
  [[nodiscard]] std::optional<int> ended();
  /// True once a signal has killed the program.
  [[nodiscard]] bool killed() const { return killed_; }
  /// True if signals sent to this process's group reach the program. Programs such as setsid leave the group.
  [[nodiscard]] bool shares_group() const;
  /// Forwards a signal. No-op if the program has ended.
  void send(int signal) const;

 private:
  pid_t process_ = -1;
  int failed_ = 0;
  std::optional<int> status_;
  bool killed_ = false;
};

}  // namespace warpscope
