#pragma once
// All pages, in the order of the rail.
#include <span>

#include "app/ui/page.hpp"

namespace warpscope::ui {

[[nodiscard]] std::span<const PageSpec> page_specs();
/// Null for an unknown name.
[[nodiscard]] const PageSpec* find_page(std::string_view name);

}  // namespace warpscope::ui
