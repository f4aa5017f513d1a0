#pragma once
// Generated traces for benchmarks. They are cached in the user's cache directory (several GB) and regenerated if the
// generator is newer than the traces.
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.hpp"

namespace warpscope::bench {

struct TraceSpec {
  std::uint64_t slices = 0;
  bool shapes = false;
  int python_depth = 0;  ///< value of the generator's --python-depth; 0: no Python frames
  int ranks = 1;
  std::string format = "json";    ///< value of the generator's --format
  std::string layout = "kineto";  ///< value of its --layout

  /// Title in tables: "5 M gz", "1 M minified".
  [[nodiscard]] std::string title() const;
  /// Estimated bytes on disk; errs on the high side.
  [[nodiscard]] std::uint64_t expected_bytes() const;
};

/// Folder of the generated traces.
[[nodiscard]] std::filesystem::path trace_cache();

/// Returns the file of a set with one rank, otherwise its folder. Runs the program `generator` if needed and reports
/// that on stderr. Errors: the generator does not exist or fails, or there is too little disk space.
[[nodiscard]] Result<std::filesystem::path> make_trace(const TraceSpec& spec, const std::filesystem::path& generator);

/// Returns the bytes on disk of a file, or of all files below a folder.
[[nodiscard]] std::uint64_t disk_bytes(const std::filesystem::path& path);

/// Reads all files once to bring them into the page cache.
void warm(const std::filesystem::path& path);

}  // namespace warpscope::bench
