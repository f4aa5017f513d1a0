#pragma once
// Rank and node of this process, from the environment, as smprof and `warpscope record` read it.

namespace warpscope::annotations {

/// -1: unknown.
struct Place {
  long rank = -1;
  long ranks = -1;
  long node = -1;  ///< counted from 1: the number in "algo-1"
};

[[nodiscard]] Place place_of_process();

}  // namespace warpscope::annotations
