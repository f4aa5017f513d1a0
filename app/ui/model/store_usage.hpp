#pragma once
// How much the stores of traces opened before take on the disk, and the way to be rid of them: both by another thread,
// for a disk may be slow.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/ui/model/background.hpp"

namespace warpscope::ui {

class StoreUsage {
 public:
  /// `folder`: of the stores; empty if there is none. `wake` is called from another thread when there is news.
  StoreUsage(std::filesystem::path folder, std::function<void()> wake);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Bytes as of the last count; nothing before the first is done.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const { return bytes_; }
  /// Counts anew, unless that is being done.
  void count();
  /// Deletes all stores that nobody uses, then counts anew.
  void clear();
  /// Takes what is done. Call once a frame; after a clear() it returns the bytes that it freed, once.
  std::optional<std::uint64_t> update();
  [[nodiscard]] bool busy() const { return work_.running(); }

 private:
  struct Outcome {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> freed;
  };

  std::filesystem::path folder_;
  std::function<void()> wake_;
  std::optional<std::uint64_t> bytes_;
  Background<Outcome> work_;
};

}  // namespace warpscope::ui
