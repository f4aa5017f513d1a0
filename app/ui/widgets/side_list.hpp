#pragma once
// The list at the left of a page with many parts, of which one is shown: a line each, the shown one raised, figures at
// the right. Where there is no room for it the page draws side_menu() above the part instead.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

struct SideItem {
  std::string_view name;
  std::string figure{};        ///< at the right; may be empty
  std::string_view about{};    ///< of a tooltip below the name; "": there is none
  std::string_view further{};  ///< muted below it
  std::string_view group{};    ///< a heading above the first item of each; "": none
  bool empty = false;          ///< there is nothing in it: the name stays muted under the pointer
};

/// Lines of `width` px at the cursor; where another one is shown than before, the window scrolls to it. `shown`: index
/// of the item that is shown. The index clicked.
std::optional<std::size_t> side_list(const AppContext& app, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown, float width);
/// The same as a menu over the whole width; `now` is what it says while it is closed.
std::optional<std::size_t> side_menu(const AppContext& app, std::string_view now, std::span<const SideItem> items,
                                     std::optional<std::size_t> shown);

}  // namespace warpscope::ui
