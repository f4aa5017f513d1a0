#pragma once
// Host calls that took much longer than calls of the same name usually do on their thread.
//
// Only the self time of a call counts: the time not spent in calls below it. The call is a stall if its self time
// exceeds both 1 ms and the median of its name plus ten robust standard deviations (1.4826 × the median absolute
// deviation, at least 5 % of the median and 1 µs). The first call of a name does not count, because it may load
// libraries and modules, nor do calls that wait for the GPU. Names with fewer than 8 calls have no usual time.
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
  Ns usual = 0;  ///< median self time of the name on its thread, ns
  friend bool operator==(const HostStall&, const HostStall&) = default;
};

/// Returns the stalls of a rank (index), by start. O(host slices · log).
[[nodiscard]] std::vector<HostStall> host_stalls(const trace::Profile& profile, std::uint32_t rank,
                                                 const analysis::CallTree& tree);

}  // namespace warpscope::rules
