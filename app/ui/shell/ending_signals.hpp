#pragma once
// SIGTERM, SIGINT and SIGHUP as a way to close the window like any other, so that nothing unsaved is lost. They are
// blocked and waited for by a thread of their own instead of being handled: a handler may call next to nothing, a
// thread may wake the window.
#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace warpscope::ui {

class EndingSignals {
 public:
  /// Make it before any other thread: those made later inherit that the signals are blocked. Signals that whoever
  /// started the program has it ignore (nohup does) stay ignored.
  EndingSignals();
  /// Stops.
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  /// Calls `came` from the thread when the first one comes, once. The second ends the program at once: closing may
  /// hang.
  void start(std::function<void()> came);
  /// From here on `came` is not called, and the signals act as before.
  void stop();
  /// The first that came; 0 while there was none.
  [[nodiscard]] int received() const { return received_.load(std::memory_order_acquire); }

 private:
  void wait(const std::function<void()>& came);

  sigset_t waited_for_{};
  sigset_t before_{};
  int signals_ = -1;  // signalfd
  int end_ = -1;      // eventfd: the thread is to end
  std::atomic<int> received_{0};
  std::thread thread_;
};

}  // namespace warpscope::ui
