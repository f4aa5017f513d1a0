#pragma once
// What the file browser shows, as plain functions of the file system: no drawing here.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::ui {

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;
  bool is_trace = false;  ///< by its name; the loader looks inside
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  ///< Unix seconds; 0: unknown
};

/// True for .json, .json.gz, .json.zst and the like, in any case.
[[nodiscard]] bool looks_like_trace(std::string_view file_name);

/// Directories first, then files, each in natural order; hidden ones left out. At most `limit` entries.
[[nodiscard]] Result<std::vector<DirectoryEntry>> list_directory(const std::filesystem::path& directory,
                                                                 std::size_t limit = 50000);

/// A path as typed, taken apart: the directory it lies in and the beginning of a name in there. "~" is the home.
struct TypedPath {
  std::filesystem::path directory;
  std::string beginning;
};
[[nodiscard]] TypedPath split_typed_path(std::string_view typed);

/// Home; empty if there is none.
[[nodiscard]] std::filesystem::path home_directory();

/// The longest text that `beginning` and all names that start with it (case aside) share; `beginning` if none does.
[[nodiscard]] std::string complete(std::string_view beginning, const std::vector<DirectoryEntry>& entries);

}  // namespace warpscope::ui
