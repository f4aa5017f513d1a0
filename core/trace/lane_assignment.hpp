#pragma once
// Assigns the slices of a thread or stream to lanes so that slices of one lane never overlap and nested slices are in
// deeper lanes. Slices may nest, and they may overlap without nesting, for example because of PDL launches on one
// stream, clock ties or corrupt durations. No slice is truncated or dropped.
//
// Slices arrive sorted by start, longer ones first if tied. Each is placed in the first free lane below the deepest
// open slice that encloses it. Each lane has at most one open slice, so a lane's only state is the end of its last
// slice. If none of the 64 lanes is free, the slice goes to the folded lane, kMaxLanes, where slices may overlap.
//
// If slices only nest, deeper open slices end earlier, so the deepest one determines the next lane: O(1) per slice.
// Below a slice that breaks this rule, all lanes are checked: O(lanes).
#include <array>
#include <cstdint>

#include "core/base/time.hpp"

namespace warpscope::trace {

inline constexpr std::uint16_t kMaxLanes = 64;

/// A child that outlives its parent by up to this many ns still counts as nested, to allow for clock noise and times
/// rounded to whole microseconds.
inline constexpr Ns kNestTolerance = 1000;

/// Assigns the slices of a track one by one. Slices must be sorted by start, then by descending end, and must not end
/// before they start.
class LaneAssigner {
 public:
  /// Returns the lane of the next slice.
  std::uint16_t next(Interval slice) {
    while (open_ > 0 && last_end_[open_ - 1] <= slice.begin) --open_;
    if (open_ == 0 || (orderly_ >= open_ && open_ < kMaxLanes && slice.end <= last_end_[open_ - 1])) {
      last_end_[open_] = slice.end;
      orderly_ = static_cast<std::uint16_t>(open_ + 1);
      if (used_ <= open_) used_ = orderly_;
      crosses_ = false;
      return open_++;
    }
    return next_of_many(slice);
  }
  /// True if the last slice overlaps an open slice without nesting in it (within the tolerance).
  [[nodiscard]] bool crosses() const { return crosses_; }
  /// Number of lanes in use, excluding the folded lane.
  [[nodiscard]] std::uint16_t used() const { return used_; }

 private:
  std::uint16_t next_of_many(Interval slice);

  std::array<Ns, kMaxLanes> last_end_{};
  std::uint16_t open_ = 0;     // no slice is open from this lane on
  std::uint16_t orderly_ = 0;  // lanes before it are open, each ending no later than the one above
  std::uint16_t used_ = 0;
  bool crosses_ = false;
};

}  // namespace warpscope::trace
