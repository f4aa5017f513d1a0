#pragma once
// Formats counter values for track labels and hover cards.
#include <string>
#include <string_view>

namespace warpscope::ui {

/// "26 launches", "14.5 GB/s", "1.25": integers without decimals, other values with decimals suited to their magnitude.
[[nodiscard]] std::string counter_text(double value, std::string_view unit);

}  // namespace warpscope::ui
