#pragma once
// The trace generator: writes the traces that a multi-node training job would leave, determined by a seed, and returns
// the true contents. Output is streamed to disk; memory use is one step of events per rank plus output buffers.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"
#include "tests/tracegen/truth.hpp"

namespace warpscope::tracegen {

/// Writes the set through `open_file`. Throws std::runtime_error if writing fails and std::invalid_argument for
/// inconsistent options.
Truth generate(const Options& options, const OpenFile& open_file);

/// Writes the set under `folder`, creating it if needed.
Truth generate(const Options& options, const std::filesystem::path& folder);

/// A set in memory, for tests and benchmarks without disk access.
struct MemorySet {
  struct File {
    std::string path;
    std::string bytes;
  };
  std::vector<File> files;
  Truth truth;
};
[[nodiscard]] MemorySet generate_in_memory(const Options& options);

/// Returns the options with `slices` converted to steps and layers; unchanged if `slices` is 0.
[[nodiscard]] Options resolved(Options options);

}  // namespace warpscope::tracegen
