#pragma once
// Frees the memory of closed profiles on another thread, because stopping a load and returning gigabytes to the system
// takes longer than a frame. A profile is destroyed only after the pages release it, so this never happens on the UI
// thread.
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "app/ui/model/open_profile.hpp"

namespace warpscope::ui {

class Unloading {
 public:
  explicit Unloading(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Waits for pending work.
  ~Unloading() = default;
  Unloading(const Unloading&) = delete;
  Unloading& operator=(const Unloading&) = delete;

  void add(std::unique_ptr<OpenProfile> closed);
  /// Call once per frame, before notifying the pages of a profile switch. Destroys the profiles added before the
  /// previous call.
  void update();
  [[nodiscard]] bool busy() const { return !waiting_.empty() || !leaving_.empty() || !running_.empty(); }

 private:
  std::function<void()> wake_;
  std::vector<std::shared_ptr<OpenProfile>> waiting_;  // pages may still hold them
  std::vector<std::shared_ptr<OpenProfile>> leaving_;  // pages have been notified
  std::vector<std::future<void>> running_;
};

}  // namespace warpscope::ui
