#include "app/cli/interrupts.hpp"

#include <csignal>
#include <ctime>

#include "app/cli/messages.hpp"
#include "core/base/ending_signal.hpp"

namespace warpscope::cli {

Interrupts::Interrupts() : held_(ending_signals()) { ::pthread_sigmask(SIG_BLOCK, &held_, &before_); }

Interrupts::~Interrupts() {
  if (!signal_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool Interrupts::came() {
  if (signal_) return true;
  const timespec at_once{};
  const int signal = ::sigtimedwait(&held_, nullptr, &at_once);
  if (signal <= 0) return false;
  signal_ = signal;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  return true;
}

void Interrupts::end() {
  print_message("interrupted");
  end_by_signal(signal_.value_or(SIGTERM));
}

}  // namespace warpscope::cli
