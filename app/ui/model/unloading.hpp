#pragma once
// Frees the memory of closed profiles on another thread, because stopping a load and returning gigabytes to the system
// takes longer than a frame. A profile is destroyed only after the pages release it, so this never happens on the UI
// thread.
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/open_profile.hpp"

namespace warpscope::ui {

/// Memory freed by closing a profile.
struct Unloaded {
  std::string name;
  std::uint64_t bytes = 0;  ///< of memory
};

class Unloading {
 public:
  explicit Unloading(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Waits for pending work.
  ~Unloading() = default;
  Unloading(const Unloading&) = delete;
  Unloading& operator=(const Unloading&) = delete;

  /// `tell`: whether take() reports the freed memory.
  void add(std::unique_ptr<OpenProfile> closed, bool tell);
  /// Call once per frame, before notifying the pages of a profile switch. Destroys the profiles added before the
  /// previous call. `quiet`: no other work allocates or frees much memory, so the freed memory can be measured.
  void update(bool quiet);
  [[nodiscard]] bool busy() const { return !waiting_.empty() || !leaving_.empty() || !running_.empty(); }
  /// Returns each result once.
  [[nodiscard]] std::optional<Unloaded> take();

 private:
  struct Closed {
    std::shared_ptr<OpenProfile> profile;
    bool tell = false;
  };

  std::function<void()> wake_;
  std::vector<Closed> waiting_;  // pages may still hold them
  std::vector<Closed> leaving_;  // pages have been notified
  std::vector<std::future<std::optional<Unloaded>>> running_;
  std::vector<Unloaded> done_;
};

}  // namespace warpscope::ui
