#pragma once
// Where programs keep what belongs to their user: the base directories that the XDG specification lays down, each with
// a folder of this program in it. The environment is looked at with each call; nothing is made on disk.
#include <filesystem>

namespace warpscope {

/// What may be deleted at any time: $XDG_CACHE_HOME/warpscope, else ~/.cache/warpscope. Empty if neither variable holds
/// an absolute path: then there is nowhere to keep anything.
[[nodiscard]] std::filesystem::path user_cache_folder();

/// What the user chose: $XDG_CONFIG_HOME/warpscope, else ~/.config/warpscope. Empty as above.
[[nodiscard]] std::filesystem::path user_config_folder();

}  // namespace warpscope
