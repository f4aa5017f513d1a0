#pragma once
// Pages of the window, in the order of the rail. --page takes these names, with and without a window; `ui` has a page
// for each (app/ui/shell/page_list.cpp).
#include <array>
#include <string_view>

namespace warpscope::settings {

inline constexpr std::array<std::string_view, 7> kPageNames{"load",     "findings",    "dashboard", "timeline",
                                                            "analysis", "information", "settings"};

}  // namespace warpscope::settings
