#pragma once
// Estimates the cost of loading several profiles, on another thread. A newer request replaces one that has not started.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/read/preflight.hpp"

namespace warpscope::ui {

class LoadEstimate {
 public:
  /// `wake` is called from another thread when an estimate is ready; may be empty.
  explicit LoadEstimate(std::function<void()> wake);
  /// Does not wait for the thread.
  ~LoadEstimate();
  LoadEstimate(const LoadEstimate&) = delete;
  LoadEstimate& operator=(const LoadEstimate&) = delete;

  /// Requests an estimate for these paths; empty: none. Cheap if the paths are unchanged.
  void ask(const std::vector<std::string>& paths);
  /// Returns the estimate of the last request once it is ready.
  [[nodiscard]] std::optional<ingest::Preflight> answer() const;
  [[nodiscard]] bool busy() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::vector<std::string> asked_;
};

}  // namespace warpscope::ui
