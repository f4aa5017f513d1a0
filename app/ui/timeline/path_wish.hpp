#pragma once
// The critical path that the Timeline is asked for: of which rank, in which stretch of time, and what its slices are
// called when they are shown. No drawing here.
#include <cstdint>
#include <optional>
#include <string>

#include "app/ui/session.hpp"
#include "core/analysis/critical_path/critical_path.hpp"

namespace warpscope::ui {

struct PathWish {
  std::uint32_t rank = 0;  ///< index
  Interval window;
  std::string of;  ///< "ProfilerStep#15 of rank 3"
};

/// The rank of the selection, else the first; in the marked range, else in the step (index into Profile::steps) as that
/// rank had it, else everything. Nothing without ranks.
[[nodiscard]] std::optional<PathWish> path_wish(const trace::Profile& profile,
                                                const std::optional<trace::SliceRef>& selection,
                                                const std::optional<Interval>& range,
                                                const std::optional<std::uint32_t>& step);

/// The path's slices, each once, longest first, with their label.
[[nodiscard]] PickedSlices path_slices(const trace::Profile& profile, const PathWish& wish,
                                       const analysis::CriticalPath& path);

}  // namespace warpscope::ui
