#pragma once
// The problems that a scope's operators solved, with their GPU time. Equal problems share an entry.
#include <string>
#include <vector>

#include "core/analysis/efficiency/problem.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

struct ProblemSum {
  std::string_view op;
  Problem problem;
  std::string model;  ///< of the GPU; "" if unknown
  std::uint64_t count = 0;
  Ns gpu_time = 0;
  bool matrix_units = false;  ///< some kernel uses Tensor Cores or matrix cores
};

struct ProblemSums {
  std::vector<ProblemSum> problems;  ///< by first occurrence
  Ns gpu_time = 0;                   ///< of all GPU activity
  Ns not_recorded = 0;               ///< of operators with a model whose inputs are not recorded
  Ns no_model = 0;                   ///< of operators without a model
  Ns transfers = 0;                  ///< of copies between the device and something else
  Ns no_operator = 0;                ///< of activity launched outside operators
  Ns no_launch = 0;                  ///< of activity launched before the recording, or by a source that is not recorded
  std::string unread;                ///< why arguments of some ranks are missing
};

[[nodiscard]] ProblemSums problem_sums(const AnalysisInput& input);

}  // namespace warpscope::analysis
