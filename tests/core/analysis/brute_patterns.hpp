#pragma once
// Finds the kernel sequences that calls launch, by walking up from each launch, and reads the sequences that the
// analysis found.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "core/trace/profile.hpp"
#include "tests/core/tracegen/naive_reader.hpp"

namespace warpscope::tests {

/// Number of occurrences of one sequence, and its sums in ns.
struct BrutePattern {
  std::int64_t count = 0;
  std::int64_t kernels = 0;
  std::int64_t calls = 0;
  friend bool operator==(const BrutePattern&, const BrutePattern&) = default;
};
using BrutePatterns = std::map<std::string, BrutePattern>;

/// Adds the outermost calls of a file whose names contain `part` and that launched at least `least` GPU activities.
void add_brute_patterns(BrutePatterns& patterns, const NaiveFile& file, const std::string& part, std::size_t least);

/// Reads the sequences from frequent_cuda_kernel_sequences; checks that they are sorted by decreasing frequency.
BrutePatterns told_patterns(const trace::Profile& profile, const std::string& part, std::size_t least);

}  // namespace warpscope::tests
