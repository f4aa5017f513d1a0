#pragma once
// Counts the traces below a directory: a hint that the file browser shows beside each one. Counts on another thread, so
// that a slow disk does not delay a frame.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "app/ui/model/background.hpp"

namespace warpscope::ui {

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
  explicit TraceCounter(std::function<void()> on_change) : wake_(std::move(on_change)) {}

  /// Returns the known count; requests it if unknown.
  [[nodiscard]] std::optional<Count> count(const std::filesystem::path& directory);
  /// Drops pending requests.
  void forget_requests() { waiting_.clear(); }
  [[nodiscard]] bool busy() const { return work_.working() || !waiting_.empty(); }

 private:
  void go_on();

  std::function<void()> wake_;
  std::map<std::filesystem::path, Count> known_;
  std::vector<std::filesystem::path> waiting_;  // requested
  std::filesystem::path counting_;
  Background<Count> work_;
};

}  // namespace warpscope::ui
