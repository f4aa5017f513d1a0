#pragma once
// Estimates, on another thread, the cost of loading one or more profiles. A new request cancels the previous one.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "core/ingest/read/preflight.hpp"

namespace warpscope::ui {

class LoadEstimate {
 public:
  /// `wake` is called from another thread when an estimate is ready; may be empty.
  explicit LoadEstimate(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Requests an estimate for `paths`; an empty list only cancels the previous one. Cheap if the paths are unchanged.
  void ask(const std::vector<std::string>& paths);
  /// Returns the estimate for the last request; nullopt until it is ready.
  [[nodiscard]] const std::optional<ingest::Preflight>& answer();
  [[nodiscard]] bool busy() const { return work_.working(); }

 private:
  std::function<void()> wake_;
  std::vector<std::string> asked_;
  std::optional<ingest::Preflight> answer_;
  Background<std::optional<ingest::Preflight>> work_;
};

}  // namespace warpscope::ui
