#pragma once
// Finds slices that cannot be true, before lanes are made: they are kept and shown in rows of their own, and count
// neither for the span nor for utilisation. A handful of them would otherwise be most of a report (7 in 55 000 were
// once 62 %).
#include "core/ingest/pending_rank.hpp"

namespace warpscope::ingest {

/// No slice of a profiler's window lasts longer (the limit HTA documents): 7 days.
inline constexpr Ns kLongestDuration = Ns{7} * 24 * 3600 * 1'000'000'000;
/// A slice at time 0 is impossible if nothing else begins within this of it.
inline constexpr Ns kZeroBeginGap = Ns{60} * 1'000'000'000;

/// Flags them PendingSlice::kDamaged, with a diagnostic each. Times are still without the file's base. Kernels, copies
/// and sets of no length are counted too, but not flagged: in traces of whole microseconds the short ones are rounded
/// so. O(n).
void flag_impossible_slices(PendingRank& rank, const trace::Categories& categories);

}  // namespace warpscope::ingest
