#pragma once
// Finds the window of a critical path.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/request/scope.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Names of the windows that are not annotations or steps: the selected range and the whole recording.
inline constexpr std::string_view kRangeWindow = "range";
inline constexpr std::string_view kWholeWindow = "all";

/// A time window on a rank.
struct PathWindow {
  std::string name;  ///< name of its annotation or step; kRangeWindow or kWholeWindow
  Interval time;
  std::string reason;  ///< why there is no window; "" if there is one
};

/// Returns the window of the `instance`-th (0-based) annotation or call whose name contains `annotation`. Without a
/// name, the window is `range`; without a range, the `instance`-th step; without steps, the whole recording. O(slices)
/// with a name.
[[nodiscard]] PathWindow path_window(const trace::Profile& profile, std::uint32_t rank, std::string_view annotation,
                                     std::uint64_t instance, const std::optional<Interval>& range);

}  // namespace warpscope::analysis
