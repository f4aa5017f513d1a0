#pragma once
// Counts the traces below a directory: a hint that the file browser shows beside each one.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

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
  std::shared_ptr<Shared> shared_;  // shared with the thread: a hanging disk must not block the destructor
};

}  // namespace warpscope::ui
