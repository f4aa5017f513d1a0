#pragma once
// What a tooltip says of a critical path: of one of its links, and of a slice that it leads through.
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/path_finder.hpp"

namespace warpscope::ui {

/// `link`: index in PathChain::links().
[[nodiscard]] HoverCard path_card(const trace::Profile& profile, const ShownPath& shown, std::uint32_t link);
/// What the path spends in a slice, as a fact behind those that are there; nothing if it does not lead through it.
void add_path_fact(const ShownPath& shown, trace::SliceRef slice, HoverCard& card);

}  // namespace warpscope::ui
