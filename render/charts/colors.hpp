#pragma once
// Colors of charts. Anything that the timeline shows has its timeline color. Everything else (nodes, precisions, shares
// of a kind) uses eight colors for color-blind readers: the hues of Okabe and Ito ("Color Universal Design", 2008),
// with alternating lightness so that neighbors differ even in grayscale.
#include <cstdint>
#include <string_view>

#include "render/scene/palette.hpp"

namespace warpscope::charts {

using scene::Color;

inline constexpr std::uint32_t kSeriesColors = 8;

/// Color of the n-th of several items of equal rank; beyond kSeriesColors, tints of the first colors. Contrast is at
/// least 3 : 1 on the theme's backgrounds.
[[nodiscard]] Color series_color(std::uint32_t n, scene::Theme theme);
/// Timeline color of a GPU activity. `name` is its full name in the trace.
[[nodiscard]] Color run_color(trace::Role role, std::string_view name, scene::Theme theme);
/// Color of remainders such as "others", "unknown" and idle: visible as a part, but neutral.
[[nodiscard]] Color rest_color(scene::Theme theme);
/// Heat color from low (close to the background) to high, `t` in 0…1: contrast with the background grows evenly with
/// `t`. `t` is clamped; NaN returns rest_color().
[[nodiscard]] Color heat_color(double t, scene::Theme theme);

}  // namespace warpscope::charts
