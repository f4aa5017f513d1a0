#pragma once
// Settings keys that only the window reads (defined in app/ui/model/settings.cpp). The commands, which can be built
// without the window, use this list to distinguish window keys from typos.
#include <algorithm>
#include <array>
#include <string_view>

namespace warpscope::settings {

inline constexpr std::array<std::string_view, 25> kWindowKeys = {
    "theme",         "scale",           "row_density",     "wheel_zooms",   "rail_width",
    "rail_folded",   "label_width",     "bottom_height",   "bottom_folded", "default_k",
    "digits",        "times",           "font_size",       "font_words",    "font_figures",
    "colours",       "colour_strength", "close_when_idle", "idle_hours",    "window_width",
    "window_height", "recent",          "dashboard",       "root",          "curve_tracks"};

/// True for window keys, including one used only by earlier versions.
[[nodiscard]] inline bool is_window_key(std::string_view key) {
  return key == "all_launch_arrows" || key.starts_with("keys.") || key.starts_with("overlay.") ||
         std::ranges::find(kWindowKeys, key) != kWindowKeys.end();
}

}  // namespace warpscope::settings
