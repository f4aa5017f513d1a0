#pragma once
// The pages, at the left: an icon and a word each; folded, the icon alone.
#include <memory>
#include <span>
#include <string_view>

#include "app/ui/page.hpp"

namespace warpscope::ui {

/// Width of the rail in px of output.
[[nodiscard]] float rail_width(const AppContext& context);

/// Draws into the window that is open. `shown`: id of the page shown. Changes page through context.show_page.
void draw_rail(AppContext& context, std::span<const std::unique_ptr<Page>> pages, std::string_view shown);

}  // namespace warpscope::ui
