#pragma once
// Matches directory entries against typed text.
#include <string_view>
#include <vector>

#include "app/ui/model/directory_listing.hpp"

namespace warpscope::ui {

/// Returns the indices of the entries whose names contain `typed`, ignoring case: prefix matches first, otherwise in
/// their original order.
[[nodiscard]] std::vector<std::size_t> entries_fitting(const std::vector<DirectoryEntry>& entries,
                                                       std::string_view typed);

}  // namespace warpscope::ui
