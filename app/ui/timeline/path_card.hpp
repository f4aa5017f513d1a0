#pragma once
// Tooltips for a critical path: for its edges, and for slices on it.
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/overlays/shown_path.hpp"

namespace warpscope::ui {

/// Card of an edge. `link`: index in PathChain::links().
[[nodiscard]] HoverCard path_card(const trace::Profile& profile, const ShownPath& shown, std::uint32_t link);
/// Adds the path's time in a slice to the card; no-op if the slice is not on the path.
void add_path_fact(const ShownPath& shown, trace::SliceRef slice, HoverCard& card);

}  // namespace warpscope::ui
