#pragma once
// The lines of a settings file that cannot be heeded as they stand, for whoever keeps the file and tells of them.
#include <string_view>
#include <vector>

#include "app/ui/model/settings.hpp"

namespace warpscope::ui {

/// As parse_settings(); `wrong` gets an Error for each line whose value is none, or is out of range.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text, std::vector<Error>& wrong);

}  // namespace warpscope::ui
