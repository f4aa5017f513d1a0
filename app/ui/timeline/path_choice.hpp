#pragma once
// Chooses which critical path to compute and which slices to highlight. Does not draw.
#include <cstdint>
#include <optional>

#include "app/ui/model/session.hpp"
#include "app/ui/model/timeline_request.hpp"

namespace warpscope::analysis {
struct JobPath;
}

namespace warpscope::ui {

/// Returns the path to compute: across all ranks, or for the selection's rank (the first rank if nothing is selected).
/// The time range is the marked range if any, otherwise the step (index into Profile::steps) if specified, otherwise
/// the whole profile. Returns nullopt if there are no ranks.
[[nodiscard]] std::optional<PathRequest> path_request(const trace::Profile& profile,
                                                      const std::optional<trace::SliceRef>& selection,
                                                      const std::optional<Interval>& range,
                                                      const std::optional<std::uint32_t>& step, bool all_ranks = false);

/// Returns the path's slices, longest first and without duplicates, and a label.
[[nodiscard]] PickedSlices path_slices(const trace::Profile& profile, const PathRequest& request,
                                       const analysis::JobPath& path);

}  // namespace warpscope::ui
