#pragma once
// The smallest generated job with every kind of event, and a way to write generated files.
#include <filesystem>

#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::tests {

/// Two steps of one layer; one rank per GPU.
tracegen::Options small_job(int gpus = 2, int nodes = 1);

/// Writes the files of a set to `within`, relative to `folder`.
void write_set(const TestFolder& folder, const tracegen::MemorySet& set, const std::filesystem::path& within = {});

}  // namespace warpscope::tests
