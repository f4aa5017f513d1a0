#pragma once
// Detects whether the desktop theme is dark. There is no standard source: GNOME stores the theme in dconf, KDE in
// kdeglobals, older GTK programs in settings.ini, and the GTK_THEME variable overrides them all. Checks each of these,
// most reliable first, without starting a process or blocking. None of them sends change notifications, so the window
// checks again when it gains focus.
#include <filesystem>
#include <optional>
#include <string_view>

namespace warpscope::ui {

/// Returns true if dark, nullopt if unknown. Reads a few small files, $GTK_THEME, and $XDG_CONFIG_HOME or ~/.config.
[[nodiscard]] std::optional<bool> desktop_is_dark();

/// Same, but with explicit inputs. `gtk_theme`: value of the variable, "" if not set; `config`: the user's
/// configuration folder.
[[nodiscard]] std::optional<bool> desktop_is_dark(std::string_view gtk_theme, const std::filesystem::path& config);

}  // namespace warpscope::ui
