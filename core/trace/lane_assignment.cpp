#include "core/trace/lane_assignment.hpp"

#include <algorithm>
#include <array>

namespace warpscope::trace {

LaneAssignment assign_lanes(std::span<const Interval> sorted) {
  LaneAssignment result;
  result.lane.resize(sorted.size());
  std::array<Ns, kMaxLanes> last_end{};
  std::uint16_t used = 0;

  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Interval slice = sorted[i];
    std::uint16_t below = 0;  // first lane under the deepest open slice that encloses this one
    bool crosses = false;
    for (std::uint16_t lane = 0; lane < used; ++lane) {
      if (last_end[lane] <= slice.begin) continue;
      if (slice.end <= last_end[lane] + kNestTolerance)
        below = static_cast<std::uint16_t>(lane + 1);
      else if (last_end[lane] > slice.begin + kNestTolerance)
        crosses = true;
    }
    std::uint16_t lane = below;
    while (lane < used && last_end[lane] > slice.begin) ++lane;
    if (lane < kMaxLanes) {
      last_end[lane] = slice.end;
      used = std::max<std::uint16_t>(used, static_cast<std::uint16_t>(lane + 1));
    } else {
      result.folded = true;
    }
    result.lane[i] = lane;
    if (crosses && result.overlaps++ == 0) result.first_overlap = static_cast<std::uint32_t>(i);
  }
  result.lanes = static_cast<std::uint16_t>(used + (result.folded ? 1 : 0));
  return result;
}

}  // namespace warpscope::trace
