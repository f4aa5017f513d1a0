#pragma once
// The section list on the left of pages with many sections. Each section has one line, with numbers on the right; the
// current line is highlighted. In narrow windows, pages draw side_menu() above the content instead.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

struct SideItem {
  std::string_view name;
  std::string figure{};        ///< text at the right edge; may be empty
  std::string_view about{};    ///< tooltip text below the name; "": none
  std::string_view further{};  ///< muted text below `about`
  std::string_view group{};    ///< heading above the first item of each group; "": none
  bool empty = false;          ///< no content: the name stays muted on hover
};

/// Draws the list at the cursor, `width` px wide; scrolls when the current item changes. `shown`: index of the current
/// item. Returns the clicked index.
std::optional<std::size_t> side_list(const AppContext& app, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown, float width);
/// Draws the same items as a full-width menu. `now`: text on the closed menu.
std::optional<std::size_t> side_menu(const AppContext& app, std::string_view now, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown);

}  // namespace warpscope::ui
