#pragma once
// Which ranks were recorded together. A directory may hold several recordings: the profiler writes a file of each rank
// every time its schedule comes round, and traces of jobs of different world sizes may lie side by side. Only ranks of
// one recording can be compared with each other.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

class Profile;

struct Recordings {
  std::vector<std::uint32_t> of_rank;  ///< by index of the rank: 0, 1, …; of one job in order of time
  std::uint32_t count = 0;
};

/// Files of one rank and host at disjoint times are different recordings; so are ranks of different world sizes. A rank
/// with fewer files than others belongs to the recordings nearest in time. O(ranks · log ranks), and O(files of a rank)
/// for each rank that lacks some.
[[nodiscard]] Recordings recordings_of(std::span<const std::shared_ptr<const Rank>> ranks);

/// Adds "several-recordings" and "duplicate-rank" for ranks with several files, and "world-sizes-differ".
void note_recordings(Profile& profile, const Recordings& recordings);

}  // namespace warpscope::trace
