#pragma once
// Moves the view to a critical path or one of its segments. Free functions on TimelineState.
#include <cstddef>

#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::ui {

/// Expands and unhides tracks and clears filters until every slice of the path has a row. Scrolls to these rows, or to
/// the first one if they do not all fit. For a path across ranks, folded ranks stay folded so their rows fit on screen.
void reveal_path(TimelineState& state, const scene::PathChain& chain);
/// Fits the view to the path and scrolls to its rows.
void fit_path(TimelineState& state, const scene::PathChain& chain);
/// True if the path covers too little of the view.
[[nodiscard]] bool far_from(const TimelineState& state, const scene::PathChain& chain);

/// Centers a segment and scrolls to the rows at both ends. Keeps the zoom level if the segment is wide enough to see.
void show_segment(TimelineState& state, const scene::PathChain& chain, std::size_t segment);
/// Returns the segment where the next (+1) and previous (-1) commands start: the first segment that ends after the
/// middle of the view, otherwise the last segment.
[[nodiscard]] std::size_t segment_in_view(const TimelineState& state, const scene::PathChain& chain);

}  // namespace warpscope::ui
