#pragma once
// Matches directory entries against typed text.
#include <string_view>
#include <vector>

#include "app/ui/model/directory_listing.hpp"

namespace warpscope::ui {

/// Indices of the entries whose name contains `typed`, ignoring case; prefix matches first, otherwise in their order.
[[nodiscard]] std::vector<std::size_t> entries_fitting(const std::vector<DirectoryEntry>& entries,
                                                       std::string_view typed);

}  // namespace warpscope::ui
