#pragma once

// Files embedded in the program: shaders, palettes, fonts.
//
// Embedding makes the program a single file that can be copied anywhere and guarantees that the tested assets are the
// ones used. An asset's name is its path relative to assets/, without a trailing ".glsl" ("shaders/rects.vert"). Fonts
// found on the build machine are named "fonts/ui" and "fonts/mono".

#include <span>
#include <string_view>

namespace warpscope::assets {

// Returns the bytes of an asset, with static lifetime and a terminating zero byte; empty for an unknown name.
[[nodiscard]] std::string_view asset(std::string_view name);

// Returns all names, sorted.
[[nodiscard]] std::span<const std::string_view> asset_names();

}  // namespace warpscope::assets
