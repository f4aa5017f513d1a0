#pragma once
// Summarizes a time range by name, for the Range tab and other views.
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

/// Returns all lanes of the profile.
[[nodiscard]] std::vector<LaneRef> all_lanes(const trace::Profile& profile);

/// Returns one row per (name, category) of the slices in `lanes` that overlap [range.begin, range.end), sorted by
/// total, largest first:
///   name, category, count, total (time within the range, summed), mean (total / count), busy share (share of the range
///   during which at least one of them ran: a union, so never above 100 %).
/// Slices are clipped to the range. Omits impossible slices; the table's note reports how many. O(k log k) for k slices
/// in the range. If `cancel` (may be null) is cancelled, returns a partial table early.
[[nodiscard]] Table range_summary(const trace::Profile& profile, Interval range, std::span<const LaneRef> lanes,
                                  const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
