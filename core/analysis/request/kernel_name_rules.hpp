#pragma once
// Rules for individual kernels, with the whole name in quotes, such as `communication="my_ring_step"`. The UI writes
// these rules when the user classifies a slice. They precede handwritten rules, so they take precedence.
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/request/kernel_class.hpp"

namespace warpscope::analysis {

/// Returns the class from a rule for exactly this kernel; nullopt if there is none.
[[nodiscard]] std::optional<KernelClass> rule_of_name(std::string_view rules, std::string_view kernel);

/// Prepends a rule for exactly this kernel, replacing any earlier one.
[[nodiscard]] std::string with_rule_of_name(std::string_view rules, std::string_view kernel, KernelClass kind);

/// Removes the rules for exactly this kernel.
[[nodiscard]] std::string without_rule_of_name(std::string_view rules, std::string_view kernel);

}  // namespace warpscope::analysis
