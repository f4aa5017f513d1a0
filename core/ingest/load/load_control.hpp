#pragma once
// Control requests for a load running on other threads: stop reading, watch, end. Thread-safe.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "core/base/progress.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::ingest {

class LoadControl {
 public:
  explicit LoadControl(bool watching) : watching_(watching) {}

  /// Stops reading and watching. cancelled() then returns true, unless the load was already over.
  void cancel();
  void watch(bool on);
  /// Ends the load: wait() returns false.
  void stop();
  /// Marks the load as over; watching may continue.
  void finish();

  [[nodiscard]] bool watching() const { return watching_; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  [[nodiscard]] bool finished() const { return finished_; }
  /// Returns the token of the current read.
  [[nodiscard]] std::shared_ptr<CancelToken> token() const;

  void wait_until_finished();
  /// Waits for `pause` (nullopt: indefinitely) or until watching() differs from `watching`. Reading may then start
  /// again, even if it was cancelled. Returns false once stopped.
  [[nodiscard]] bool wait(bool watching, std::optional<std::chrono::milliseconds> pause);

 private:
  mutable Mutex mutex_;
  Condition news_;
  std::shared_ptr<CancelToken> token_ GUARDED_BY(mutex_) = std::make_shared<CancelToken>();
  // Written with the mutex held.
  std::atomic<bool> watching_;
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> finished_{false};
  std::atomic<bool> stopped_{false};
};

}  // namespace warpscope::ingest
