#pragma once
// The machine that a profile's data is on, if it is another one: analyses ask it for their results instead of fetching
// the data (core/analysis/request/host_question.hpp).
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::trace {

/// nullopt: the host cannot answer the question, so the caller must compute the answer.
using HostAnswer = Result<std::optional<std::vector<std::uint8_t>>>;

/// Thread-safe.
class ProfileHost {
 public:
  virtual ~ProfileHost() = default;
  /// Returns the answer to a question about the profile. Blocks; after `cancel` (may be null) is cancelled, the result
  /// is meaningless. Errors: those of the answer, or a lost connection.
  [[nodiscard]] virtual HostAnswer ask(std::string_view question, std::span<const std::uint8_t> content,
                                       const CancelToken* cancel) = 0;
};

}  // namespace warpscope::trace
