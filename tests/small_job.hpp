#pragma once
// The smallest generated job with every kind of event, and a way to write generated files.
#include <filesystem>

#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::tests {

/// Two steps of one layer; one rank per GPU.
inline tracegen::Options small_job(int gpus = 2, int nodes = 1) {
  tracegen::Options options = *tracegen::preset("small");
  options.steps = 2;
  options.layers = 1;
  options.gpus = gpus;
  options.nodes = nodes;
  return options;
}

/// Writes the files of a set to `within`, relative to `folder`.
inline void write_set(const TestFolder& folder, const tracegen::MemorySet& set,
                      const std::filesystem::path& within = {}) {
  for (const auto& file : set.files) folder.write((within / file.path).string(), file.bytes);
}

}  // namespace warpscope::tests
