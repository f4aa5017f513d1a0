#pragma once
// Ctrl-C and requests to end, for commands that write files: they are held back while it lives, and asked for between
// steps of the work, so that what is half-written can be removed before the program ends as it was told to. The signals
// are blocked, and taken from where they wait; once nothing would have to be removed any more, a handler that says so
// takes them.
#include <signal.h>

#include <array>
#include <optional>

#include "core/base/ending_signal.hpp"

namespace warpscope::cli {

class Interrupts {
 public:
  /// Before there are other threads: they inherit it. A signal that is ignored already (nohup) stays so.
  Interrupts();
  /// Lets through again what it held back, also a signal that came and was not asked for, to who took it before.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Whether one came. From then on nothing is held back: a second one ends the program at once.
  [[nodiscard]] bool came();
  /// Says so, and ends the program as the signal that came would have. Call it when all is tidied up.
  [[noreturn]] void end();
  /// From here on nothing would have to be removed: one that comes, or came and was not asked for, says so and ends the
  /// program where it stands. came() stays what it is.
  void end_when_one_comes();

 private:
  sigset_t held_{};
  sigset_t before_{};
  std::optional<int> signal_;
  std::optional<std::array<struct sigaction, kEndingSignals.size()>> handled_before_;
};

}  // namespace warpscope::cli
