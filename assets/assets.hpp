#pragma once

// The files that the program carries inside itself: shaders, palettes, fonts.
//
// They are embedded at build time so that the program is one file that can be copied anywhere, and so that what was
// tested is what runs. The name is the path below assets/ without a trailing ".glsl" ("shaders/rects.vert"); the
// fonts found on the building machine are "fonts/ui" and "fonts/mono".

#include <span>
#include <string_view>

namespace warpscope::assets {

// The bytes of an asset, of static lifetime and followed by a zero byte; empty if there is none of that name.
[[nodiscard]] std::string_view asset(std::string_view name);

// All names, sorted.
[[nodiscard]] std::span<const std::string_view> asset_names();

}  // namespace warpscope::assets
