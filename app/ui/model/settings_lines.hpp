#pragma once
// Parses settings and reports the lines that cannot be applied as written.
#include <string_view>
#include <vector>

#include "app/ui/model/settings.hpp"

namespace warpscope::ui {

/// Like parse_settings(); `wrong` receives an Error for each line with an invalid or out-of-range value.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text, std::vector<Error>& wrong);

}  // namespace warpscope::ui
