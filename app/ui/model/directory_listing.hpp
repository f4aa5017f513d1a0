#pragma once
// Lists directories for the path dialog. Contains no drawing code.
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
  bool is_trace = false;  ///< judged by its name; the loader checks the content
  std::uint64_t bytes = 0;
};

/// True for .json, .json.gz, .json.zst and similar names, ignoring case.
[[nodiscard]] bool looks_like_trace(std::string_view file_name);

/// Lists directories first, then files, each in natural order. At most `limit` entries.
[[nodiscard]] Result<std::vector<DirectoryEntry>> list_directory(const std::filesystem::path& directory,
                                                                 std::size_t limit = 50000);

/// A typed path, split into a directory and the beginning of a name. "~" is the home directory.
struct TypedPath {
  std::filesystem::path directory;
  std::string beginning;
};
[[nodiscard]] TypedPath split_typed_path(std::string_view typed);

/// Returns the indices of the entries whose names contain `typed`, ignoring case. Prefix matches come first; the order
/// is otherwise unchanged. Hidden entries match only if `typed` starts with a dot.
[[nodiscard]] std::vector<std::size_t> entries_fitting(const std::vector<DirectoryEntry>& entries,
                                                       std::string_view typed);

/// Returns the home directory; empty if unknown.
[[nodiscard]] std::filesystem::path home_directory();

}  // namespace warpscope::ui
