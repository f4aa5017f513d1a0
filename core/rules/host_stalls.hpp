#pragma once
// Host calls that take much longer than other calls with the same name on the same thread.
//
// Compares self times, which exclude nested calls. A call is a stall if its self time exceeds both 1 ms and the median
// for its name plus ten robust standard deviations. A robust standard deviation is 1.4826 times the median absolute
// deviation, which is clamped to at least 5 % of the median and at least 1 µs. Skips calls that wait for the GPU, the
// first call of each name (it may load libraries and modules), and names with fewer than 8 calls.
#include <vector>

#include "core/analysis/shared/call_tree.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::rules {

struct HostStall {
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  std::uint32_t track = 0;  ///< index into Rank::tracks
  Interval time;
  Ns self = 0;   ///< ns
  Ns usual = 0;  ///< median self time for the name on its thread, in ns
  friend bool operator==(const HostStall&, const HostStall&) = default;
};

/// Returns a rank's stalls, sorted by start. `rank`: index. O(S log S) for S host slices.
[[nodiscard]] std::vector<HostStall> host_stalls(const trace::Profile& profile, std::uint32_t rank,
                                                 const analysis::CallTree& tree);

}  // namespace warpscope::rules
