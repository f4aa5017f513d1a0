#include "app/cli/interrupts.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>

#include "app/cli/messages.hpp"

namespace warpscope::cli {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupts::Interrupts() {
  sigemptyset(&held_);
  for (const int signal : kSignals)
    if (!is_ignored(signal)) sigaddset(&held_, signal);
  ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
}

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
  const int signal = signal_.value_or(SIGTERM);
  print_message("interrupted");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  // Not reached unless the signal was blocked from outside: then as a shell says it.
  ::_exit(128 + signal);
}

}  // namespace warpscope::cli
