#pragma once
// Launch latency has two definitions, which differ by the duration of the launch call. Tables, tooltips and the
// Timeline's panes always show both, labeled as below.
#include <algorithm>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::analysis {

inline constexpr std::string_view kApiStartToKernelStart = "API start → kernel start";
inline constexpr std::string_view kApiEndToKernelStart = "API end → kernel start";

struct LaunchLatency {
  Ns from_start = 0;  ///< ns from the call's start; negative if the clocks of host and device disagree
  Ns from_end = 0;    ///< ns from the call's end; 0 if the kernel starts before it
};

[[nodiscard]] constexpr LaunchLatency launch_latency(Interval call, Ns kernel_start) {
  return {saturating_difference(kernel_start, call.begin),
          std::max<Ns>(0, saturating_difference(kernel_start, call.end))};
}

}  // namespace warpscope::analysis
