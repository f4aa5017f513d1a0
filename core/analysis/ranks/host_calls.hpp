#pragma once
// Host thread activity over time: the innermost operator, annotation or runtime call at each moment. Python functions
// are ignored, because their frames enclose everything.
#include <cstddef>
#include <functional>
#include <optional>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Part of a call on a thread, or time outside calls.
struct HostCall {
  NameId name = 0;                                ///< 0: no call is recorded
  std::optional<trace::SliceOrdinal> slice = {};  ///< nullopt: no call is recorded
  Interval time;                                  ///< as recorded
};

/// Calls visit(HostCall) for the innermost call at each moment in `range`, in time order, covering the whole range.
/// Returns the number of slices read. If `track` is kNoIndex, visits `range` as time outside calls. O(S log S) for S
/// slices in the range.
std::size_t for_each_host_call(const trace::Profile& profile, std::uint32_t rank, std::uint32_t track, Interval range,
                               const std::function<void(const HostCall&)>& visit);

}  // namespace warpscope::analysis
