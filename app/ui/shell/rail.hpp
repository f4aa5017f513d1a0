#pragma once
// The page list on the left: an icon and a label for each page, or icons only when folded.
#include <memory>
#include <span>
#include <string_view>

#include "app/ui/page.hpp"

namespace warpscope::ui {

/// Returns the rail's width in output px.
[[nodiscard]] float rail_width(const AppContext& context);

/// Draws into the current window. `shown`: id of the current page. Changes pages through context.show_page.
void draw_rail(AppContext& context, std::span<const std::unique_ptr<Page>> pages, std::string_view shown);

}  // namespace warpscope::ui
