#pragma once
// Parses user input for the critical path: the window and the what-if changes.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/critical_path/path_graph.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/result.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Parses "compute=0.5, launch=0" and "sync, launch": time factors for bounds (cpu, data_loading, compute,
/// communication, memory, launch, gap), and kinds of edges to omit (operator, dependency, launch, kernel, sync). Both
/// may be empty. Fails on unknown words and on factors that are negative or not numbers.
[[nodiscard]] Result<WhatIf> parse_what_if(std::string_view scale, std::string_view without);

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

/// Returns the part of a window to analyze: the part that HTA analyzes if `steps` is not null, otherwise the whole
/// window.
[[nodiscard]] Interval looked_at(const trace::Rank& rank, Interval window, const HtaSteps* steps, bool rounding);

}  // namespace warpscope::analysis
