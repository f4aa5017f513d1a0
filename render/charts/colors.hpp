#pragma once
// Colors of charts. Items that the timeline shows have the same color as there. All other items (nodes, precisions,
// parts of one kind) use eight colors for color-blind readers: the hues of Okabe and Ito ("Color Universal Design",
// 2008), with alternating lightness so that neighbors differ even in grayscale.
#include <cstdint>
#include <string_view>

#include "render/scene/palette.hpp"

namespace warpscope::charts {

using scene::Color;

inline constexpr std::uint32_t kSeriesColors = 8;

/// Color of the Nth of several items that have no color of their own; beyond kSeriesColors, tints of the first colors.
/// Contrast is at least 3 : 1 on the theme's backgrounds.
[[nodiscard]] Color series_color(std::uint32_t n, scene::Theme theme);
/// Timeline color of a GPU activity. `name` is its full name in the trace.
[[nodiscard]] Color run_color(trace::Role role, std::string_view name, scene::Theme theme);
/// Neutral but visible color of remainders such as "others", "unknown" and idle.
[[nodiscard]] Color rest_color(scene::Theme theme);
/// Heat color from low (close to the background) to high, `t` in 0…1: the contrast with the background grows evenly
/// with `t`. `t` is clamped; NaN returns rest_color().
[[nodiscard]] Color heat_color(double t, scene::Theme theme);

}  // namespace warpscope::charts
