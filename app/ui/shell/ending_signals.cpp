#include "app/ui/shell/ending_signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "core/base/ending_signal.hpp"

namespace warpscope::ui {

EndingSignals::EndingSignals() : waited_for_(ending_signals()) {
  pthread_sigmask(SIG_BLOCK, &waited_for_, &before_);
  signals_ = signalfd(-1, &waited_for_, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || end_ < 0) pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // fall back to the default behavior
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

}  // namespace warpscope::ui
