#pragma once
// A value of a counter as the Timeline writes it, beside its name and in its hover card.
#include <string>
#include <string_view>

namespace warpscope::ui {

/// "26 launches", "14.5 GB/s", "1.25": whole figures whole, others with as many decimals as their size needs.
[[nodiscard]] std::string counter_text(double value, std::string_view unit);

}  // namespace warpscope::ui
