#pragma once
// Colours of charts. What the timeline shows has the timeline's colour; what it does not (nodes, precisions, shares of
// a kind) comes from a set of eight made for eyes that do not tell all hues: the hues of Okabe and Ito ("Color
// Universal Design", 2008), with lightness alternating so that neighbours differ even in grey.
#include <cstdint>
#include <string_view>

#include "render/scene/palette.hpp"

namespace warpscope::charts {

using scene::Color;

inline constexpr std::uint32_t kSeriesColors = 8;

/// The n-th of several equal things; those beyond kSeriesColors are tints of the first ones. At least 3 : 1 to the
/// theme's grounds.
[[nodiscard]] Color series_color(std::uint32_t n, scene::Theme theme);
/// A kernel's or copy's, as the timeline has it. `name` is the whole name in the trace.
[[nodiscard]] Color run_color(trace::Role role, std::string_view name, scene::Theme theme);
/// What is left over: "others", "unknown", idle. Reads as a part, but as no thing.
[[nodiscard]] Color rest_color(scene::Theme theme);
/// From little (close to the ground) to much, `t` in 0…1: lightness grows evenly with `t` away from the ground.
/// Clamped; not a number: the rest's colour.
[[nodiscard]] Color heat_color(double t, scene::Theme theme);

}  // namespace warpscope::charts
