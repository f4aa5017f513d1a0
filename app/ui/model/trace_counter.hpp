#pragma once
// How many traces lie below a directory: the hint that the file browser shows beside each one.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace warpscope::ui {

/// Counts traces below directories on another thread, so that a slow disk does not hold up a frame.
class TraceCounter {
 public:
  /// Looks this deep, and at this many entries at most: it is a hint, not an inventory.
  static constexpr int kDepth = 3;
  static constexpr std::size_t kMostEntries = 5000;

  struct Count {
    std::size_t traces = 0;
    bool more = false;  ///< the limit was reached
  };

  /// `on_change` is called from the other thread.
  explicit TraceCounter(std::function<void()> on_change);
  ~TraceCounter();
  TraceCounter(const TraceCounter&) = delete;
  TraceCounter& operator=(const TraceCounter&) = delete;

  /// What is known; asks for it if nothing is.
  [[nodiscard]] std::optional<Count> count(const std::filesystem::path& directory);
  /// Forgets what was asked for and not yet answered.
  void forget_requests();
  [[nodiscard]] bool busy() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread's too: a disk that hangs must not hang the destructor
};

}  // namespace warpscope::ui
