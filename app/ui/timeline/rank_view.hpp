#pragma once
// Moves the view to tracks: a rank, its streams, or search results. Free functions on TimelineState.
#include "app/ui/model/timeline_request.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

/// Expands and unhides tracks and clears filters until the rank, or each requested track, has its own row. Scrolls the
/// rank to the top; scrolls to tracks only if some of them are out of view. No-op if the profile does not contain the
/// rank.
void show_rank(TimelineState& state, const RankRequest& request);
/// Reveals the topmost track with a match. If none of the track's matches are in view, goes to its first match.
void show_found(TimelineState& state, const scene::Highlight& found);

}  // namespace warpscope::ui
