#pragma once
// Whether the desktop is dark. There is no one place to ask: GNOME keeps its answer in dconf, KDE in kdeglobals, GTK
// programs of old in settings.ini, and whoever wants to be sure sets GTK_THEME. All of these are looked at, in the
// order of how sure they are; nothing is started and nothing is waited for. None of them says that it changed, so it is
// asked again when the window gets the keyboard.
#include <filesystem>
#include <optional>
#include <string_view>

namespace warpscope::ui {

/// true: dark. nullopt if nothing tells. Reads some small files; asks $GTK_THEME, and $XDG_CONFIG_HOME, else
/// ~/.config.
[[nodiscard]] std::optional<bool> desktop_is_dark();

/// The same of what was found. `gtk_theme`: of the environment, "" if not set; `config`: the folder of all programs'
/// configurations.
[[nodiscard]] std::optional<bool> desktop_is_dark(std::string_view gtk_theme, const std::filesystem::path& config);

}  // namespace warpscope::ui
