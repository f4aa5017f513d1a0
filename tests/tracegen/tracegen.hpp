#pragma once
// The trace generator: makes the directory of traces that a training job on several nodes would leave, from a seed, and
// tells what is in it. Streams to disk; memory is one step of events of each rank and the output buffers.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"
#include "tests/tracegen/truth.hpp"

namespace warpscope::tracegen {

/// Writes the set through `open_file`. Throws std::runtime_error when something cannot be written and
/// std::invalid_argument when the options make no sense.
Truth generate(const Options& options, const OpenFile& open_file);

/// Writes the set under `folder`, which is made if need be.
Truth generate(const Options& options, const std::filesystem::path& folder);

/// A set in memory, for tests and benchmarks that need no disk.
struct MemorySet {
  struct File {
    std::string path;
    std::string bytes;
  };
  std::vector<File> files;
  Truth truth;
};
[[nodiscard]] MemorySet generate_in_memory(const Options& options);

/// The options with `slices` turned into steps and layers; unchanged without `slices`.
[[nodiscard]] Options resolved(Options options);

}  // namespace warpscope::tracegen
