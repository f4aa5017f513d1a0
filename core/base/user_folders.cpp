#include "core/base/user_folders.hpp"

#include <cstdlib>

namespace warpscope {
namespace {

// The XDG specification requires programs to ignore relative paths.
std::filesystem::path absolute_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value != '/') return {};
  return value;
}

std::filesystem::path base_folder(const char* variable, const char* below_home) {
  if (const std::filesystem::path named = absolute_in(variable); !named.empty()) return named / "warpscope";
  if (const std::filesystem::path home = absolute_in("HOME"); !home.empty()) return home / below_home / "warpscope";
  return {};
}

}  // namespace

std::filesystem::path user_cache_folder() { return base_folder("XDG_CACHE_HOME", ".cache"); }

std::filesystem::path user_config_folder() { return base_folder("XDG_CONFIG_HOME", ".config"); }

}  // namespace warpscope
