#include "app/ui/page.hpp"

#include <algorithm>
#include <array>

namespace warpscope::ui {

std::span<const PageSpec> page_specs() {
#define WARPSCOPE_LIST(name) registered::name::kPage,
  static const std::array kAll{WARPSCOPE_PAGES(WARPSCOPE_LIST)};
#undef WARPSCOPE_LIST
  return kAll;
}

const PageSpec* find_page(std::string_view name) {
  const auto found = std::ranges::find(page_specs(), name, &PageSpec::name);
  return found == page_specs().end() ? nullptr : &*found;
}

}  // namespace warpscope::ui
