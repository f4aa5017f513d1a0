#pragma once
// Which critical path the Timeline means when it is asked for one, and which slices are highlighted for it. No drawing
// here.
#include <cstdint>
#include <optional>

#include "app/ui/path_wish.hpp"
#include "app/ui/session.hpp"

namespace warpscope::ui {

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
