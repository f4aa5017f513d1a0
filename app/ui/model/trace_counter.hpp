#pragma once
// Counts the traces below a directory: a hint that the file browser shows beside each one.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace warpscope::ui {

/// Counts on another thread, so that a slow disk does not delay a frame.
class TraceCounter {
 public:
  /// Limits on depth and number of entries: the count is a hint, not an inventory.
  static constexpr int kDepth = 3;
  static constexpr std::size_t kMostEntries = 5000;

  struct Count {
    std::size_t traces = 0;
    bool more = false;  ///< the limit was reached
  };

  /// `on_change` is called from the other thread.
  explicit TraceCounter(std::function<void()> on_change);
  /// Cancels counting and waits for it, at most for one entry of a directory.
  ~TraceCounter();
  TraceCounter(const TraceCounter&) = delete;
  TraceCounter& operator=(const TraceCounter&) = delete;

  /// Returns the known count; requests it if unknown.
  [[nodiscard]] std::optional<Count> count(const std::filesystem::path& directory);
  /// Drops pending requests.
  void forget_requests();
  [[nodiscard]] bool busy() const;

 private:
  struct Shared;
  void work();

  std::unique_ptr<Shared> shared_;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace warpscope::ui
