#pragma once
// Curves that were computed of a rank's slices, to be seen beside its tracks: how many launches wait on each stream,
// how fast memory is moved. Not part of what was loaded: core/analysis/shared/curve_tracks makes them when they are
// asked for.
#include <cstdint>
#include <vector>

#include "core/trace/counter.hpp"

namespace warpscope::trace {

struct RankCurve {
  std::uint32_t device = 0;  ///< index into Rank::devices
  Counter counter;
};

using RankCurves = std::vector<RankCurve>;  ///< by device

}  // namespace warpscope::trace
