#pragma once
// Finds a rank's host slices by name.
#include <functional>
#include <string_view>
#include <vector>

#include "core/analysis/causes/special_calls.hpp"

namespace warpscope::rules {

class Facts;

/// Returns the host thread slices (operators, annotations, Python functions) whose names `counts` accepts, sorted by
/// start. O(names + host slices), or O(names) if no name is accepted.
[[nodiscard]] std::vector<analysis::NamedCall> named_calls(const Facts& facts, std::uint32_t rank,
                                                           const std::function<bool(std::string_view name)>& counts);

}  // namespace warpscope::rules
