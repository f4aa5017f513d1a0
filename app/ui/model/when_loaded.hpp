#pragma once
// A user action that needs columns from disk, such as going to a slice whose time is not in memory. The action is
// retried every frame until the columns are in memory. A newer action replaces the pending one.
#include <functional>
#include <utility>

namespace warpscope::ui {

class WhenLoaded {
 public:
  /// Calls `attempt` immediately, then once per frame until it returns true. An attempt that returns false must not
  /// change anything (trace::if_resident), and later attempts must not rely on the first attempt's profile.
  void start(std::function<bool()> attempt) {
    attempt_ = std::move(attempt);
    update();
  }
  /// Call once per frame.
  void update() {
    if (!attempt_) return;
    auto attempt = std::exchange(attempt_, nullptr);  // the attempt may start another one
    if (!attempt() && !attempt_) attempt_ = std::move(attempt);
  }
  void stop() { attempt_ = nullptr; }
  [[nodiscard]] bool waiting() const { return attempt_ != nullptr; }

 private:
  std::function<bool()> attempt_;
};

}  // namespace warpscope::ui
