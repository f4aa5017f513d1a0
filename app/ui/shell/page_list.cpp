#include "app/ui/shell/page_list.hpp"

#include <algorithm>
#include <array>

#include "app/settings/page_names.hpp"

namespace warpscope::ui {

namespace registered {
#define WARPSCOPE_DECLARE(name) \
  namespace name {              \
  extern const PageSpec kPage;  \
  }
WARPSCOPE_PAGES(WARPSCOPE_DECLARE)
#undef WARPSCOPE_DECLARE
}  // namespace registered

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
