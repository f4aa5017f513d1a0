#pragma once
// Settings for loading and analysis, shared by the window and the commands: store folder, memory limit and kernel rules
// apply to both. All other settings belong to the window (app/ui/model/settings.hpp).
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/cache.hpp"

namespace warpscope::settings {

struct LoadSettings {
  std::uint64_t memory_limit = 0;                         ///< bytes for all open profiles; 0: no limit
  bool keep_stores = true;                                ///< save stores so that traces open instantly next time
  std::uint64_t store_limit = store::kDefaultCacheLimit;  ///< bytes for all stores
  std::string store_folder;                               ///< folder of the stores; empty: the platform's default
  std::string kernel_class;  ///< kernel classes by name pattern (analysis::parse_kernel_rules)

  friend bool operator==(const LoadSettings&, const LoadSettings&) = default;
};

/// Applies the value if `key` is one of these settings; returns false otherwise. Clamps out-of-range values and ignores
/// invalid words. In both cases, `wrong` (may be null) receives the error and the value used instead.
bool take(LoadSettings& settings, std::string_view key, std::string_view value, Failure* wrong = nullptr);
/// Formats the settings as lines of the settings file.
[[nodiscard]] std::string print(const LoadSettings& settings);

/// Returns the store folder: the setting if it is an absolute path, otherwise the platform's default; empty if there is
/// none.
[[nodiscard]] std::filesystem::path store_folder(const LoadSettings& settings);

/// Reads the file at `path`; returns the defaults if it does not exist. Fails if it cannot be read or is not a settings
/// file. `wrong` (may be null) receives an Error for each line that cannot be applied as written and for each unknown
/// key.
[[nodiscard]] Result<LoadSettings> read_load_settings(const std::filesystem::path& path,
                                                      std::vector<Error>* wrong = nullptr);

}  // namespace warpscope::settings
