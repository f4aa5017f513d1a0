#pragma once
// Defers Ctrl-C and termination signals in commands that write files, so that partial output can be removed before the
// program ends. The signals are blocked, and the command polls for pending ones between steps of the work. Once cleanup
// is no longer needed, the signals are unblocked and a handler prints a message.
#include <signal.h>

#include <array>
#include <optional>

#include "core/base/ending_signal.hpp"

namespace warpscope::cli {

class Interrupts {
 public:
  /// Construct before starting threads, because they inherit the signal mask. Signals that are already ignored (nohup)
  /// stay ignored.
  Interrupts();
  /// Restores the previous handlers and unblocks the signals; a pending signal is then delivered.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// True if a signal has arrived. From then on, signals are no longer blocked, so a second one ends the program
  /// immediately.
  [[nodiscard]] bool came();
  /// Prints a message and ends the program with the received signal. Call after cleanup.
  [[noreturn]] void end();
  /// Call once cleanup is no longer needed: a pending or later signal then prints a message and ends the program
  /// immediately. Does not affect the result of came().
  void end_when_one_comes();

 private:
  sigset_t held_{};
  sigset_t before_{};
  std::optional<int> signal_;
  std::optional<std::array<struct sigaction, kEndingSignals.size()>> handled_before_;
};

}  // namespace warpscope::cli
