#pragma once
// Host slices of a rank, found by name.
#include <functional>
#include <string_view>
#include <vector>

#include "core/rules/host_calls.hpp"

namespace warpscope::rules {

class Facts;

/// Returns the host thread slices (operators, annotations, Python functions) with a name that `counts` accepts, by
/// start. O(names + host slices); O(names) if it accepts no name.
[[nodiscard]] std::vector<HostCall> named_calls(const Facts& facts, std::uint32_t rank,
                                                const std::function<bool(std::string_view name)>& counts);

}  // namespace warpscope::rules
