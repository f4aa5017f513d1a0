#pragma once
// What the tooltip over the canvas says, made apart from its drawing: what it is, its figures, and how to get further.
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

struct HoverCard {
  struct Fact {
    std::string what;
    std::string figure;
  };

  std::string title;
  std::string full_name;  ///< if the title is only a part of it
  std::vector<Fact> facts;
  std::string further;

  [[nodiscard]] bool empty() const { return title.empty(); }
};

/// The card for what hit_test() found; empty for rows with nothing under the pointer.
[[nodiscard]] HoverCard make_hover_card(const trace::Profile& profile, const scene::Layout& layout,
                                        const scene::Hit& hit);

void draw_hover_card(const AppContext& app, const HoverCard& card);

}  // namespace warpscope::ui
