#pragma once
// Finds operators and the kernels they launch by searching all operators for each launch.
#include <cstdint>
#include <map>
#include <string>

#include "tests/core/tracegen/naive_reader.hpp"

namespace warpscope::tests {

struct BruteDelays {
  std::int64_t count = 0;
  std::int64_t launch = 0;
  std::int64_t runtime = 0;
};

/// By operator and sequence; searches all operators for each launch.
std::map<std::string, BruteDelays> brute_operators(const NaiveFile& file);

}  // namespace warpscope::tests
