#include "core/trace/lane_assignment.hpp"

#include <algorithm>

namespace warpscope::trace {

std::uint16_t LaneAssigner::next_of_many(Interval slice) {
  std::uint16_t below = 0;  // first lane under the deepest open slice that encloses this one
  crosses_ = false;
  for (std::uint16_t lane = 0; lane < open_; ++lane) {
    if (last_end_[lane] <= slice.begin) continue;
    if (slice.end <= saturating_add(last_end_[lane], kNestTolerance))
      below = static_cast<std::uint16_t>(lane + 1);
    else if (last_end_[lane] > saturating_add(slice.begin, kNestTolerance))
      crosses_ = true;
  }
  std::uint16_t lane = below;
  while (lane < open_ && last_end_[lane] > slice.begin) ++lane;
  if (lane == kMaxLanes) return lane;
  last_end_[lane] = slice.end;
  orderly_ = std::min(orderly_, lane);
  open_ = std::max(open_, static_cast<std::uint16_t>(lane + 1));
  used_ = std::max(used_, open_);
  return lane;
}

LaneAssignment assign_lanes(std::span<const Interval> sorted) {
  LaneAssignment result;
  result.lane.resize(sorted.size());
  LaneAssigner lanes;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    result.lane[i] = lanes.next(sorted[i]);
    if (result.lane[i] == kMaxLanes) result.folded = true;
    if (lanes.crosses() && result.overlaps++ == 0) result.first_overlap = static_cast<std::uint32_t>(i);
  }
  result.lanes = static_cast<std::uint16_t>(lanes.used() + (result.folded ? 1 : 0));
  return result;
}

}  // namespace warpscope::trace
