#pragma once
// What a host thread does at each moment: its innermost operator, annotation or runtime call. Python functions do not
// count, since they would name a frame around everything.
#include <cstddef>
#include <functional>
#include <optional>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// A stretch of time on a thread.
struct HostCall {
  NameId name = 0;                                ///< 0: no call is recorded
  std::optional<trace::SliceOrdinal> slice = {};  ///< nullopt: no call is recorded
  Interval time;                                  ///< as recorded
};

/// Calls visit(HostCall) for the innermost call at each time of `range`, in time order; the stretches tile the range.
/// Returns the number of slices read. `track` may be unknown (kNoIndex): no call is recorded then. O(slices · log).
std::size_t for_each_host_call(const trace::Profile& profile, std::uint32_t rank, std::uint32_t track, Interval range,
                               const std::function<void(const HostCall&)>& visit);

}  // namespace warpscope::analysis
