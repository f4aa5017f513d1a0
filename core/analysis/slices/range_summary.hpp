#pragma once
// What lies in a range of time, by name: for the Range tab and wherever a stretch of the timeline is asked about.
#include <span>

#include "core/base/progress.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// A lane of a profile: indices into Profile::ranks and Rank::lanes.
struct LaneRef {
  std::uint32_t rank = 0;
  std::uint32_t lane = 0;

  friend auto operator<=>(const LaneRef&, const LaneRef&) = default;
};

/// Every lane of the profile.
[[nodiscard]] std::vector<LaneRef> all_lanes(const trace::Profile& profile);

/// A row per (name, category) of slices that touch [range.begin, range.end) in `lanes`, most time first:
///   name, category, count, total (time within the range, summed), mean (total / count), busy share (share of the range
///   during which at least one of them ran: a union, so never above 100 %).
/// A slice that reaches over an edge counts with the part inside.
/// Impossible slices are left out; the table's note says how many. O(k log k) for k slices in the range. A cancelled
/// `cancel` (may be null) ends it early with what there is.
[[nodiscard]] Table range_summary(const trace::Profile& profile, Interval range, std::span<const LaneRef> lanes,
                                  const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
