#pragma once
// The generated traces that the benchmarks load. They are kept in the user's cache directory, some GB of them, and made
// anew when the generator is newer than they are.
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.hpp"

namespace warpscope::bench {

struct TraceSpec {
  std::uint64_t slices = 0;
  bool shapes = false;
  int ranks = 1;
  std::string format = "json";    ///< as the generator's --format
  std::string layout = "kineto";  ///< as its --layout

  /// "5 M gz", "1 M minified": for a table.
  [[nodiscard]] std::string title() const;
  /// About so many bytes on disk; rather too many.
  [[nodiscard]] std::uint64_t expected_bytes() const;
};

/// Where generated traces are kept.
[[nodiscard]] std::filesystem::path trace_cache();

/// The file of a set with one rank, else its folder, made by the program `generator` if need be; says on stderr when it
/// makes one. Errors: the generator is not there or fails, too little room on the disk.
[[nodiscard]] Result<std::filesystem::path> make_trace(const TraceSpec& spec, const std::filesystem::path& generator);

/// Bytes on disk of a file, or of all files below a folder.
[[nodiscard]] std::uint64_t disk_bytes(const std::filesystem::path& path);

/// Reads what is there once, so that the kernel has it in memory.
void warm(const std::filesystem::path& path);

}  // namespace warpscope::bench
