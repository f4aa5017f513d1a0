#pragma once
// What the devices of a rank do over its time span, in 1024 equal parts. A rank in a store has one, so pages show all
// ranks of a job without reading their rows.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

class Rank;
struct Track;

/// Shares of each part's time, as 255ths, averaged over the devices. Time of several classes counts as computation,
/// then as communication; activity of other classes counts as computation. Adds up to the busy share.
struct BusyCurve {
  static constexpr std::size_t kParts = 1024;

  std::vector<std::uint8_t> computation;  ///< kParts values, or none: the rank has no device activity
  std::vector<std::uint8_t> communication;
  std::vector<std::uint8_t> memory;
  Ns busy = 0;  ///< exact busy time, summed over the devices

  [[nodiscard]] bool empty() const { return computation.empty(); }
};

/// O(slices on streams + kParts).
[[nodiscard]] BusyCurve busy_curve_of(const Rank& rank);

/// Returns the lanes that contain all activity of a track: the outermost nested one, and those beside it.
[[nodiscard]] std::vector<std::uint32_t> outermost_lanes(const Rank& rank, const Track& track);

}  // namespace warpscope::trace
