#pragma once
// Gives each slice of one thread or stream a lane, such that slices of one lane never overlap and a slice that lies
// within another lies deeper. Input may nest, and may overlap without nesting: PDL launches on one stream, clock ties,
// damaged durations. Nothing is cut or dropped to make it fit.
//
// Slices come in the order (begin, longer first). Each goes below the deepest open slice that encloses it, into the
// first lane there that is free; since a lane has at most one open slice, its last end is all that has to be known of
// it. O(n · lanes), at most 64 lanes; what finds none goes to lane kMaxLanes, the folded one, where slices may overlap.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

inline constexpr std::uint16_t kMaxLanes = 64;

/// A child may outlive its parent by this much and still counts as nested: clock noise, and the rounding of traces in
/// whole microseconds.
inline constexpr Ns kNestTolerance = 1000;

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
