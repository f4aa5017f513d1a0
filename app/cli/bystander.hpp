#pragma once
// Finds out whether a signal was sent to this process alone or also to the processes around it: by the terminal, by
// kill(-GROUP) of a shell, or by an init system or scheduler that signals every process of a job. A program that passes
// signals on to a command must pass on only the former, because the command has received the others itself. The sender
// in siginfo_t does not distinguish them.
//
// So a forked process beside the command, in the same process group and session, does nothing but wait for signals and
// report them. If it received a signal, so did the command.
#include <signal.h>
#include <sys/types.h>

namespace warpscope::cli {

class Bystander {
 public:
  /// Starts it. `signals` must be blocked, and no other thread may run.
  explicit Bystander(const sigset_t& signals);
  ~Bystander();
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;

  /// True if it has received a signal that this process has just received; waits a moment for it.
  [[nodiscard]] bool received(int signal);

 private:
  pid_t process_ = -1;
  int reports_ = -1;  // a byte per signal
};

}  // namespace warpscope::cli
