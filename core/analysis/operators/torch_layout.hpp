#pragma once
// Prints operators as PyTorch's key_averages().table() does, so users can compare the result line by line with their
// scripts' output.
#include <string>
#include <vector>

#include "core/analysis/operators/operator_rows.hpp"

namespace warpscope::analysis {

/// `order`: rows to print. Percentages are relative to all rows of `found`.
[[nodiscard]] std::string torch_layout(const OperatorRows& found, const std::vector<std::uint32_t>& order,
                                       const Grouping& grouping);

}  // namespace warpscope::analysis
