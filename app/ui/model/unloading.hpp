#pragma once
// Gives the memory of closed profiles back on another thread: a load has to be stopped and waited for, and gigabytes
// have to be returned to the system, which takes longer than a frame. Nothing is destroyed before the pages have let go
// of the profile, so that none of it is left for the window's thread to do.
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/open_profile.hpp"

namespace warpscope::ui {

/// What closing a profile gave back.
struct Unloaded {
  std::string name;
  std::uint64_t bytes = 0;  ///< of memory
};

class Unloading {
 public:
  explicit Unloading(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Waits.
  ~Unloading() = default;
  Unloading(const Unloading&) = delete;
  Unloading& operator=(const Unloading&) = delete;

  /// `tell`: take() says what it gave back.
  void add(std::unique_ptr<OpenProfile> closed, bool tell);
  /// Call once a frame, before the pages are told of another profile: what was added before the last call is destroyed
  /// from now on. `quiet`: nothing else takes or frees much memory, so what the process has can be measured.
  void update(bool quiet);
  [[nodiscard]] bool busy() const { return !waiting_.empty() || !leaving_.empty() || !running_.empty(); }
  /// Each once.
  [[nodiscard]] std::optional<Unloaded> take();

 private:
  struct Closed {
    std::shared_ptr<OpenProfile> profile;
    bool tell = false;
  };

  std::function<void()> wake_;
  std::vector<Closed> waiting_;  // pages may still have them
  std::vector<Closed> leaving_;  // pages have been told
  std::vector<std::future<std::optional<Unloaded>>> running_;
  std::vector<Unloaded> done_;
};

}  // namespace warpscope::ui
