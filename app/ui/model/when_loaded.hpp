#pragma once
// An action of the user whose columns are still on disk, such as going to a slice whose time is not known yet. It is
// tried again in each frame until they are in memory. A newer action replaces the one that waits.
#include <functional>
#include <utility>

namespace warpscope::ui {

class WhenLoaded {
 public:
  /// Calls `attempt` now and, until it returns true, once in each later frame. An attempt that returns false must not
  /// have changed anything (trace::if_resident), and must not rely on the profile of the first attempt.
  void start(std::function<bool()> attempt) {
    attempt_ = std::move(attempt);
    update();
  }
  /// Call once a frame.
  void update() {
    if (!attempt_) return;
    auto attempt = std::exchange(attempt_, nullptr);  // it may start another one
    if (!attempt() && !attempt_) attempt_ = std::move(attempt);
  }
  void stop() { attempt_ = nullptr; }
  [[nodiscard]] bool waiting() const { return attempt_ != nullptr; }

 private:
  std::function<bool()> attempt_;
};

}  // namespace warpscope::ui
