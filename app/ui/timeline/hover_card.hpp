#pragma once
// Content of the canvas tooltip, separate from drawing: title, values and hints.
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
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

/// Card for a result of hit_test(); empty if nothing is under the pointer.
[[nodiscard]] HoverCard make_hover_card(const trace::Profile& profile, const scene::Layout& layout,
                                        const scene::Hit& hit);

/// Adds the wait and transfer of a communication kernel to its card.
void add_wait_facts(const JobRanks& ranks, trace::SliceRef slice, HoverCard& card);

void draw_hover_card(const AppContext& app, const HoverCard& card);

}  // namespace warpscope::ui
