#pragma once
// Settings keys that only the window reads (defined in app/ui/model/settings.cpp). The commands, which can be built
// without the window, use this list to distinguish window keys from typos.
#include <algorithm>
#include <array>
#include <string_view>

namespace warpscope::settings {

inline constexpr std::array<std::string_view, 22> kWindowKeys = {
    "theme",           "scale",         "row_density",  "wheel_zooms",   "rail_width", "rail_folded", "label_width",
    "bottom_height",   "bottom_folded", "default_k",    "digits",        "times",      "font_size",   "colours",
    "close_when_idle", "idle_hours",    "window_width", "window_height", "recent",     "dashboard",   "root",
    "curve_tracks"};
/// Used only by earlier versions.
inline constexpr std::array<std::string_view, 4> kFormerKeys = {"all_launch_arrows", "font_words", "font_figures",
                                                                "colour_strength"};

[[nodiscard]] inline bool is_window_key(std::string_view key) {
  return key.starts_with("keys.") || key.starts_with("overlay.") ||
         std::ranges::find(kWindowKeys, key) != kWindowKeys.end() ||
         std::ranges::find(kFormerKeys, key) != kFormerKeys.end();
}

}  // namespace warpscope::settings
