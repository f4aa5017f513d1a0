#pragma once
// Makes SIGTERM, SIGINT and SIGHUP close the window normally, so no unsaved settings are lost. The signals are blocked
// and a dedicated thread waits for them, because a signal handler may call only a few functions and could not wake the
// window.
#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace warpscope::ui {

class EndingSignals {
 public:
  /// Create before starting any other thread, so all threads inherit the signal mask. Signals already ignored by the
  /// parent process (nohup) stay ignored.
  EndingSignals();
  /// Calls stop().
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  /// Calls `came` once, on the waiting thread, when the first signal arrives. A second signal terminates the program
  /// immediately, in case closing hangs.
  void start(std::function<void()> came);
  /// Stops calling `came` and restores the previous signal handling.
  void stop();
  /// Returns the first signal received; 0 if none.
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
