#pragma once
// Detects whether a signal was sent only to this process or to its whole group. Terminals, kill(-GROUP) in a shell,
// init systems and schedulers signal every process in a job. A program that forwards signals to a command must forward
// only signals sent to it alone, because the command has already received the others. The sender in siginfo_t does not
// distinguish the two cases.
//
// The bystander is a forked process that runs alongside the command, in the same process group and session. It only
// waits for signals and reports them. Any signal it receives was also delivered to the command.
#include <signal.h>
#include <sys/types.h>

namespace warpscope::cli {

class Bystander {
 public:
  /// Starts the process. `signals` must be blocked, and no other thread may be running.
  explicit Bystander(const sigset_t& signals);
  ~Bystander();
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;

  /// True if the bystander also received the signal this process just received. Waits briefly for the bystander's
  /// report.
  [[nodiscard]] bool received(int signal);

 private:
  pid_t process_ = -1;
  int reports_ = -1;  // one byte per signal
};

}  // namespace warpscope::cli
