#pragma once
// This program's directories below the user's XDG base directories. Each call reads the environment; nothing is created
// on disk.
#include <filesystem>

namespace warpscope {

/// Directory of files that may be deleted at any time: $XDG_CACHE_HOME/warpscope, else ~/.cache/warpscope. Empty if
/// neither variable contains an absolute path; nothing can be cached in that case.
[[nodiscard]] std::filesystem::path user_cache_folder();

/// Directory of the user's settings: $XDG_CONFIG_HOME/warpscope, else ~/.config/warpscope. Empty as above.
[[nodiscard]] std::filesystem::path user_config_folder();

}  // namespace warpscope
