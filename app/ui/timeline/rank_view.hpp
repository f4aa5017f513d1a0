#pragma once
// Moves of the view that have tracks in mind rather than slices: a rank or its streams, or where a filter found
// something. Free functions over TimelineState.
#include "app/ui/model/rank_wish.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

/// Unfolds, unhides and unfilters until the rank, or each track that is asked for, has a row of its own, and scrolls
/// there: to tracks if they are not all in view, to a rank so that it is the topmost. A rank that the profile does not
/// have leaves all as it is.
void show_rank(TimelineState& state, const RankWish& wish);
/// Reveals the topmost track in which something was found; where the view has nothing of it there, its first slice.
void show_found(TimelineState& state, const scene::Highlight& found);

}  // namespace warpscope::ui
