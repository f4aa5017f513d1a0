#include "app/ui/ending_signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace warpscope::ui {
namespace {

constexpr std::array<int, 3> kSignals = {SIGTERM, SIGINT, SIGHUP};

bool ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

EndingSignals::EndingSignals() {
  sigemptyset(&waited_for_);
  for (const int signal : kSignals)
    if (!ignored(signal)) sigaddset(&waited_for_, signal);
  pthread_sigmask(SIG_BLOCK, &waited_for_, &before_);
  signals_ = signalfd(-1, &waited_for_, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || end_ < 0) pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // then they end it as ever
}

EndingSignals::~EndingSignals() {
  stop();
  if (end_ >= 0) close(end_);
  if (signals_ >= 0) close(signals_);
}

void EndingSignals::stop() {
  if (thread_.joinable()) {
    eventfd_write(end_, 1);
    thread_.join();
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void EndingSignals::start(std::function<void()> came) {
  if (signals_ < 0 || end_ < 0) return;
  thread_ = std::thread([this, came = std::move(came)] { wait(came); });
}

void EndingSignals::wait(const std::function<void()>& came) {
  std::array<pollfd, 2> both = {pollfd{signals_, POLLIN, 0}, pollfd{end_, POLLIN, 0}};
  while (true) {
    if (poll(both.data(), both.size(), -1) < 0) continue;
    if (both[1].revents != 0) return;
    signalfd_siginfo info{};
    if (read(signals_, &info, sizeof(info)) != sizeof(info)) return;
    const int signal = static_cast<int>(info.ssi_signo);
    int none = 0;
    if (!received_.compare_exchange_strong(none, signal)) end_by_signal(signal);
    came();
  }
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

}  // namespace warpscope::ui
