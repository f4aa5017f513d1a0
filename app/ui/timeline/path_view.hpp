#pragma once
// Moves of the view that have a critical path in mind: all of it, or a segment. Free functions over TimelineState.
#include <cstddef>

#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::ui {

/// Unfolds, unhides and unfilters until every slice of the path has a row, and scrolls to these rows; if they do not
/// fit, to the first of them.
void reveal_path(TimelineState& state, const scene::PathChain& chain);
/// Fits the view to the path, with its rows in view.
void fit_path(TimelineState& state, const scene::PathChain& chain);
/// True if the path takes up so little of the view, or so little of it is in view, that one has to go there to see it.
[[nodiscard]] bool far_from(const TimelineState& state, const scene::PathChain& chain);

/// Brings a segment to the middle, at the same zoom if it can be made out there, with the rows at both of its ends.
void show_segment(TimelineState& state, const scene::PathChain& chain, std::size_t segment);
/// Where next (+1) and previous (-1) begin: the segment in the middle of the view, or what would lead there.
[[nodiscard]] std::size_t segment_in_view(const TimelineState& state, const scene::PathChain& chain);

/// The same for a link of a path of the rank (index): what it leads from and to has rows, and its time can be made out.
void show_link(TimelineState& state, std::uint32_t rank, const LinkPlace& link);

}  // namespace warpscope::ui
