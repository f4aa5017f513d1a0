#include "tests/small_job.hpp"

namespace warpscope::tests {

tracegen::Options small_job(int gpus, int nodes) {
  tracegen::Options options = *tracegen::preset("small");
  options.steps = 2;
  options.layers = 1;
  options.gpus = gpus;
  options.nodes = nodes;
  return options;
}

void write_set(const TestFolder& folder, const tracegen::MemorySet& set, const std::filesystem::path& within) {
  for (const auto& file : set.files) folder.write((within / file.path).string(), file.bytes);
}

}  // namespace warpscope::tests
