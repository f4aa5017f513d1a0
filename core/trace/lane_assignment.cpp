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

}  // namespace warpscope::trace
