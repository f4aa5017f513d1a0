#pragma once
// Curves computed from a rank's slices and shown with its tracks: launches queued on each stream, and memory bandwidth.
// They are not computed during loading; core/analysis/shared/curve_tracks computes them on request.
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
