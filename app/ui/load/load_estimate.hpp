#pragma once
// What a load of several profiles would cost, told before it begins. Worked out on another thread; a newer question
// takes the place of one that was not begun yet.
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
  /// `wake` is called from another thread when there is an answer; may be empty.
  explicit LoadEstimate(std::function<void()> wake);
  /// Does not wait.
  ~LoadEstimate();
  LoadEstimate(const LoadEstimate&) = delete;
  LoadEstimate& operator=(const LoadEstimate&) = delete;

  /// Asks about these paths; none: there is no question. Cheap if they are the same as before.
  void ask(const std::vector<std::string>& paths);
  /// The answer about what was asked last, once it is there.
  [[nodiscard]] std::optional<ingest::Preflight> answer() const;
  [[nodiscard]] bool busy() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::vector<std::string> asked_;
};

}  // namespace warpscope::ui
