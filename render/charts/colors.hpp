#pragma once
// Colors of charts. Items that also appear in the Timeline have the same color in both. All other items (nodes,
// precisions, parts of one kind) use eight colorblind-safe colors: the hues of Okabe and Ito ("Color Universal Design",
// 2008), with alternating lightness so that neighbors differ even in grayscale.
#include <cstdint>
#include <string_view>

#include "render/scene/palette.hpp"

namespace warpscope::charts {

using scene::Color;

inline constexpr std::uint32_t kSeriesColors = 8;

/// Returns the color of the Nth item without a color of its own; beyond kSeriesColors, tints of the first colors.
/// Contrast is at least 3 : 1 on the theme's backgrounds.
[[nodiscard]] Color series_color(std::uint32_t n, scene::Theme theme);
/// Returns the Timeline color of a GPU activity. `name` is its full name in the trace.
[[nodiscard]] Color run_color(trace::Role role, std::string_view name, scene::Theme theme);
/// Returns a neutral but visible color for remainders such as "others", "unknown" and idle time.
[[nodiscard]] Color rest_color(scene::Theme theme);
/// Returns the heat color for `t` from 0 (low, close to the background) to 1 (high). The contrast with the background
/// grows evenly with `t`. `t` is clamped; NaN returns rest_color().
[[nodiscard]] Color heat_color(double t, scene::Theme theme);

}  // namespace warpscope::charts
