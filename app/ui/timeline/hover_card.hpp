#pragma once
// Content of the canvas tooltip, separate from drawing: title, values and hints. Covers slices, critical path edges and
// other items under the pointer.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/shown_path.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

struct JobRanks;

struct HoverCard {
  struct Fact {
    std::string what;
    std::string figure;
  };

  std::string title;
  std::string full_name;  ///< if the title is truncated
  std::vector<Fact> facts;
  std::string further;

  [[nodiscard]] bool empty() const { return title.empty(); }
};

/// Returns the card for a result of hit_test(); empty if nothing is under the pointer.
[[nodiscard]] HoverCard make_hover_card(const trace::Profile& profile, const scene::Layout& layout,
                                        const scene::Hit& hit);

/// Adds the wait and transfer times of a communication kernel to its card.
void add_wait_facts(const JobRanks& ranks, trace::SliceRef slice, HoverCard& card);

/// Returns the card for an edge of a critical path. `link`: index in PathChain::links().
[[nodiscard]] HoverCard path_card(const trace::Profile& profile, const ShownPath& shown, std::uint32_t link);
/// Adds the time the path spends in a slice to the card; no-op if the slice is not on the path.
void add_path_fact(const ShownPath& shown, trace::SliceRef slice, HoverCard& card);

/// Formats a counter value, such as "26 launches", "14.5 GB/s" or "1.25". Integers have no decimal places; other values
/// have up to four, depending on their magnitude.
[[nodiscard]] std::string counter_text(double value, std::string_view unit);

void draw_hover_card(const AppContext& app, const HoverCard& card);

}  // namespace warpscope::ui
