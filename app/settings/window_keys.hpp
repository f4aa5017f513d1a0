#pragma once
// Settings keys that only the window reads (defined in app/ui/model/settings.cpp). The commands, which can be built
// without the window, use this list to distinguish window keys from typos.
#include <algorithm>
#include <array>
#include <string_view>

namespace warpscope::settings {

inline constexpr std::array<std::string_view, 15> kWindowKeys = {
    "theme",        "scale",         "row_density",   "wheel_zooms",  "rail_folded",
    "label_width",  "bottom_height", "bottom_folded", "query_height", "colours",
    "window_width", "window_height", "recent",        "root",         "curve_tracks"};
/// Used only by earlier versions.
inline constexpr std::array<std::string_view, 12> kFormerKeys = {
    "all_launch_arrows", "font_words",      "font_figures", "colour_strength", "default_k", "digits", "times",
    "font_size",         "close_when_idle", "idle_hours",   "dashboard",       "rail_width"};

[[nodiscard]] inline bool is_window_key(std::string_view key) {
  return key.starts_with("overlay.") || std::ranges::find(kWindowKeys, key) != kWindowKeys.end() ||
         std::ranges::find(kFormerKeys, key) != kFormerKeys.end() || key.starts_with("keys.");
}

}  // namespace warpscope::settings
