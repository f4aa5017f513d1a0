#pragma once
// What the settings say of loading and of counting. The window and the commands share it: who gave the window a folder
// for stores or a limit of memory, or told it what kernels are, means the program, not its window. The rest of the
// settings is the window's own (app/ui/model/settings.hpp).
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/cache.hpp"

namespace warpscope::settings {

struct LoadSettings {
  std::uint64_t memory_limit = 0;  ///< bytes that what is open may take; 0: no limit
  bool keep_stores = true;         ///< what the window read is kept, so that it opens at once next time
  std::uint64_t store_limit = store::kDefaultCacheLimit;  ///< bytes that all of that may take
  std::string store_folder;                               ///< where it is kept; empty: the platform's place
  std::string kernel_class;  ///< what kernels are by their names (analysis::parse_kernel_rules)

  friend bool operator==(const LoadSettings&, const LoadSettings&) = default;
};

/// Takes the value of `key` if it is one of these; false if it is none. Values out of range are clamped, words that are
/// no value change nothing: either is told in `wrong` (may be null), with what holds instead.
bool take(LoadSettings& settings, std::string_view key, std::string_view value, Failure* wrong = nullptr);
/// Their lines in the file.
[[nodiscard]] std::string print(const LoadSettings& settings);

/// The folder of stores: the one that is set, if it is an absolute path, else the platform's; empty if there is none.
[[nodiscard]] std::filesystem::path store_folder(const LoadSettings& settings);

/// These of the file at `path`; the defaults if there is none. An Error if it cannot be read, or is no settings file.
/// `wrong` (may be null) gets an Error for each line that is not heeded as it stands, and for each key that nobody
/// knows.
[[nodiscard]] Result<LoadSettings> read_load_settings(const std::filesystem::path& path,
                                                      std::vector<Error>* wrong = nullptr);

}  // namespace warpscope::settings
