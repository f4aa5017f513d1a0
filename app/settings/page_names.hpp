#pragma once
// Names of the window's pages, as accepted by --page. The names are also available in builds without the window.
// Namespace registered::NAME defines the page as kPage (app/ui/page.hpp).
#include <array>
#include <string_view>

// One line per page, in rail order. Alt+1 to Alt+9 and Alt+0 open the pages.
#define WARPSCOPE_PAGES(PAGE) \
  PAGE(load)                  \
  PAGE(findings)              \
  PAGE(dashboard)             \
  PAGE(timeline)              \
  PAGE(analysis)              \
  PAGE(operators)             \
  PAGE(ranks)                 \
  PAGE(query)                 \
  PAGE(information)           \
  PAGE(settings)

namespace warpscope::settings {

#define WARPSCOPE_NAME(name) std::string_view(#name),
inline constexpr std::array kPageNames{WARPSCOPE_PAGES(WARPSCOPE_NAME)};
#undef WARPSCOPE_NAME

}  // namespace warpscope::settings
