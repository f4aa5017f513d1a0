#pragma once
// Gives each slice of one thread or stream a lane, such that slices of one lane never overlap and a slice that lies
// within another lies deeper. Input may nest, and may overlap without nesting: PDL launches on one stream, clock ties,
// damaged durations. Nothing is cut or dropped to make it fit.
//
// Slices come in the order (begin, longer first). Each goes below the deepest open slice that encloses it, into the
// first lane there that is free; since a lane has at most one open slice, its last end is all that has to be known of
// it. What finds none of 64 lanes goes to lane kMaxLanes, the folded one, where slices may overlap.
//
// Where slices only nest, the open ones end the earlier the deeper they lie, so the deepest alone tells where the next
// goes: O(1) a slice. Below a slice that broke this rule all lanes are looked at: O(lanes).
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

inline constexpr std::uint16_t kMaxLanes = 64;

/// A child may outlive its parent by this much and still counts as nested: clock noise, and the rounding of traces in
/// whole microseconds.
inline constexpr Ns kNestTolerance = 1000;

/// Slices of a track one by one, by begin, then by end descending; ends not before begins.
class LaneAssigner {
 public:
  /// The lane of the next slice.
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
  /// The last slice overlaps an open one without nesting in it, beyond the tolerance.
  [[nodiscard]] bool crosses() const { return crosses_; }
  /// Lanes in use, the folded one aside.
  [[nodiscard]] std::uint16_t used() const { return used_; }

 private:
  std::uint16_t next_of_many(Interval slice);

  std::array<Ns, kMaxLanes> last_end_{};
  std::uint16_t open_ = 0;     // from this lane on no slice is open
  std::uint16_t orderly_ = 0;  // lanes before it are open, each ending no later than the one above
  std::uint16_t used_ = 0;
  bool crosses_ = false;
};

struct LaneAssignment {
  std::vector<std::uint16_t> lane;  ///< of each slice
  std::uint16_t lanes = 0;          ///< how many are in use, the folded one included
  bool folded = false;              ///< lane kMaxLanes is in use
  std::uint64_t overlaps = 0;       ///< slices that overlap an open one without nesting, beyond the tolerance
  std::uint32_t first_overlap = 0;  ///< the first of them, if any
};

/// `sorted`: by begin, then by end descending; ends not before begins.
[[nodiscard]] LaneAssignment assign_lanes(std::span<const Interval> sorted);

}  // namespace warpscope::trace
