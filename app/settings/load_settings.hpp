#pragma once
// Load and analysis settings that apply to both the window and the commands: store folder, memory limit and kernel
// rules. The window's other settings are in app/ui/model/settings.hpp.
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
  std::string store_folder;                               ///< store folder; empty: the platform default
  std::string kernel_class;  ///< kernel classes by name pattern (analysis::parse_kernel_rules)

  friend bool operator==(const LoadSettings&, const LoadSettings&) = default;
};

/// Applies the value if `key` is one of these settings; returns false otherwise. Clamps out-of-range numbers and
/// ignores other invalid values; in both cases, stores the error and the value used instead in `wrong` (may be null).
bool take(LoadSettings& settings, std::string_view key, std::string_view value, Failure* wrong = nullptr);
/// Formats the settings as lines for the settings file.
[[nodiscard]] std::string print(const LoadSettings& settings);

/// Returns the configured store folder if its path is absolute, otherwise the platform default, which may be empty.
[[nodiscard]] std::filesystem::path store_folder(const LoadSettings& settings);

/// Reads the settings file at `path`; returns the defaults if it does not exist. Fails if the file is unreadable or not
/// a settings file. Appends an Error to `wrong` (may be null) for each unknown key and each line that cannot be applied
/// as written.
[[nodiscard]] Result<LoadSettings> read_load_settings(const std::filesystem::path& path,
                                                      std::vector<Error>* wrong = nullptr);

}  // namespace warpscope::settings
