#pragma once
// The settings file as text: "key = value" lines, made to be read and edited by hand. What the keys are is said
// elsewhere.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::settings {

/// $XDG_CONFIG_HOME/warpscope/settings, else ~/.config/warpscope/settings; empty if neither names a folder.
[[nodiscard]] std::filesystem::path default_settings_path();

/// What is in the file; nothing if there is none, or `path` is empty. An Error if it cannot be read.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);

/// Calls `each` with key and value of every line, without the blanks around them, and the line's number from 1; empty
/// lines and such that begin with '#' are passed over. An Error, with the line's number, if the text is no settings
/// file at all (bytes that are no text, lines without "=").
[[nodiscard]] Failure each_setting(
    std::string_view text, const std::function<void(std::string_view key, std::string_view value, int line)>& each);

/// Without blanks at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);
/// A text that may hold line breaks, as one line, and back.
[[nodiscard]] std::string escape(std::string_view text);
[[nodiscard]] std::string unescape(std::string_view text);
/// "yes", "true", "on" or their opposites; any other word leaves `out` as it is, which is false.
bool read(std::string_view value, bool& out);

}  // namespace warpscope::settings
