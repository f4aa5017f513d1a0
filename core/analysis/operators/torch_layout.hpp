#pragma once
// The text that PyTorch prints for key_averages().table(): users compare it line by line with what their scripts print.
#include <string>
#include <vector>

#include "core/analysis/operators/operator_rows.hpp"

namespace warpscope::analysis {

/// `order`: rows to print. Percentages refer to all rows of `found`.
[[nodiscard]] std::string torch_layout(const OperatorRows& found, const std::vector<std::uint32_t>& order,
                                       const Grouping& grouping);

}  // namespace warpscope::analysis
