#pragma once
// Computes the call graph by comparing all pairs of calls, and checks the analysis against it.
#include <cstdint>
#include <vector>

#include "core/trace/profile.hpp"
#include "tests/core/analysis/brute_force.hpp"

namespace warpscope::tests {

/// The calls of a file. The parent of each call is found by comparing it with all other calls.
struct BruteCalls {
  std::vector<const NaiveSlice*> calls;
  std::vector<const NaiveSlice*> parents;
  std::vector<std::int64_t> kernels;
  std::vector<std::int64_t> time;

  explicit BruteCalls(const NaiveFile& file);
};

/// Checks parent and kernels of each call; returns the maximum number of kernels of a call.
std::int64_t check_calls(const trace::Profile& profile, const Brute& brute);

}  // namespace warpscope::tests
