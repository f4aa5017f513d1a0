#include "core/base/ending_signal.hpp"

#include <unistd.h>

namespace warpscope {

namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

sigset_t ending_signals() {
  sigset_t signals{};
  sigemptyset(&signals);
  for (const int signal : kEndingSignals)
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  return signals;
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  ::_exit(128 + signal);  // the signal did not terminate the process: exit with the status a shell would report
}

}  // namespace warpscope
