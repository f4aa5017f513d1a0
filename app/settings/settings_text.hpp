#pragma once
// Reads and writes the settings file: "key = value" lines, editable by hand. The keys are defined elsewhere.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::settings {

/// Returns $XDG_CONFIG_HOME/warpscope/settings, or ~/.config/warpscope/settings; empty if neither variable is set.
[[nodiscard]] std::filesystem::path default_settings_path();

/// Returns the contents of the file; empty if it does not exist or `path` is empty. Fails if the file cannot be read.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);

/// Calls `each` with the trimmed key and value of each line and its 1-based line number; skips empty lines and lines
/// starting with '#'. Returns an Error with the line number if the text is not a settings file (binary data, lines
/// without "=").
[[nodiscard]] Failure each_setting(
    std::string_view text, const std::function<void(std::string_view key, std::string_view value, int line)>& each);

/// Characters trimmed from both ends of keys and values.
inline constexpr std::string_view kBlanks = " \t\r";
/// Escapes line breaks so the text fits on one line. unescape() reverses this.
[[nodiscard]] std::string escape(std::string_view text);
[[nodiscard]] std::string unescape(std::string_view text);
/// Parses "yes", "true", "on" or their opposites; otherwise returns false and leaves `out` unchanged.
bool read(std::string_view value, bool& out);

}  // namespace warpscope::settings
