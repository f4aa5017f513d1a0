#pragma once
// Makes SIGTERM, SIGINT and SIGHUP close the window normally, so no unsaved settings are lost. The signals are blocked
// and a thread waits for them, because a thread can wake the window; a signal handler may call only a few functions.
#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace warpscope::ui {

class EndingSignals {
 public:
  /// Create before any other thread, so that all threads inherit the signal mask. Signals already ignored by the parent
  /// process (nohup) stay ignored.
  EndingSignals();
  /// Calls stop().
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  /// Calls `came` once, from the thread, on the first signal. A second signal ends the program immediately, in case
  /// closing hangs.
  void start(std::function<void()> came);
  /// After this call, `came` is no longer called, and the previous signal handling is restored.
  void stop();
  /// Returns the first received signal; 0 if none.
  [[nodiscard]] int received() const { return received_.load(std::memory_order_acquire); }

 private:
  void wait(const std::function<void()>& came);

  sigset_t waited_for_{};
  sigset_t before_{};
  int signals_ = -1;  // signalfd
  int end_ = -1;      // eventfd: tells the thread to end
  std::atomic<int> received_{0};
  std::thread thread_;
};

}  // namespace warpscope::ui
