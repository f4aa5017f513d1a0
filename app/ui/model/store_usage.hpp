#pragma once
// Measures and deletes stores of previously opened traces on another thread, because disks may be slow.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/ui/model/background.hpp"

namespace warpscope::ui {

class StoreUsage {
 public:
  /// `folder`: the store folder; empty if none. `wake` is called from another thread when a result is ready.
  StoreUsage(std::filesystem::path folder, std::function<void()> wake);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Returns the last measured total size, in bytes; nullopt before the first measurement finishes.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const { return bytes_; }
  /// Starts a measurement, unless one is running.
  void count();
  /// Deletes all unused stores, then measures again.
  void clear();
  /// Fetches results. Call once per frame.
  void update();
  [[nodiscard]] bool busy() const { return work_.running(); }

 private:
  std::filesystem::path folder_;
  std::function<void()> wake_;
  std::optional<std::uint64_t> bytes_;
  Background<std::uint64_t> work_;
};

}  // namespace warpscope::ui
