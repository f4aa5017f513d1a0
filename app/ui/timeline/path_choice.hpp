#pragma once
// Which critical path the Timeline means when it is asked for one, and which slices are highlighted for it. No drawing
// here.
#include <cstdint>
#include <optional>

#include "app/ui/model/path_wish.hpp"
#include "app/ui/model/session.hpp"

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

/// Where a link of a path is, to be gone to.
struct LinkPlace {
  Interval time{};                ///< ns, absolute; may be empty
  trace::SliceOrdinal slice = 0;  ///< in whose time it lies; of a delay what came late
  trace::SliceOrdinal from = 0;
  trace::SliceOrdinal to = 0;
};
[[nodiscard]] LinkPlace place_of(const trace::Rank& rank, const analysis::CriticalLink& link);

}  // namespace warpscope::ui
