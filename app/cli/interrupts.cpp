#include "app/cli/interrupts.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string_view>

#include "app/cli/messages.hpp"

namespace warpscope::cli {

namespace {

/// Prints a message, restores the default handler of `signal` and ends the program with that signal. The signal stays
/// pending until this function returns.
void say_and_end(int signal) {
  constexpr std::string_view kSaid = "warpscope: interrupted\n";
  static_cast<void>(!::write(STDERR_FILENO, kSaid.data(), kSaid.size()));
  ::raise(signal);
}

}  // namespace

Interrupts::Interrupts() : held_(ending_signals()) { ::pthread_sigmask(SIG_BLOCK, &held_, &before_); }

Interrupts::~Interrupts() {
  if (handled_before_)
    for (std::size_t i = 0; i < kEndingSignals.size(); ++i)
      ::sigaction(kEndingSignals[i], &(*handled_before_)[i], nullptr);
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

void Interrupts::end_when_one_comes() {
  if (signal_ || handled_before_) return;
  handled_before_.emplace();
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    const int signal = kEndingSignals[i];
    ::sigaction(signal, nullptr, &(*handled_before_)[i]);
    if (sigismember(&held_, signal) != 1) continue;
    struct sigaction action {};
    action.sa_handler = say_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupts::end() {
  print_message("interrupted");
  end_by_signal(signal_.value_or(SIGTERM));
}

}  // namespace warpscope::cli
