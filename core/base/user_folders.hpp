#pragma once
// Warpscope's directories under the user's XDG base directories. Each call reads the environment and does not create
// anything on disk.
#include <filesystem>

namespace warpscope {

/// Directory for files that can be deleted at any time: $XDG_CACHE_HOME/warpscope if set, otherwise ~/.cache/warpscope.
/// Empty if neither variable contains an absolute path, in which case nothing can be cached.
[[nodiscard]] std::filesystem::path user_cache_folder();

/// Directory for the user's settings: $XDG_CONFIG_HOME/warpscope if set, otherwise ~/.config/warpscope. Empty under the
/// same condition.
[[nodiscard]] std::filesystem::path user_config_folder();

}  // namespace warpscope
