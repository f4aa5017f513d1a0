#pragma once
// Rules for single kernels: `communication="my_ring_step"`, the whole name between quotes. The window writes them when
// a user says of a slice what it does; they stand ahead of the rules written by hand, so that they hold.
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/request/kernel_class.hpp"

namespace warpscope::analysis {

/// What the rules say of exactly this kernel; nullopt if no rule is for it alone.
[[nodiscard]] std::optional<KernelClass> rule_of_name(std::string_view rules, std::string_view kernel);

/// `rules` with one ahead of them for exactly this kernel, in place of an earlier one.
[[nodiscard]] std::string with_rule_of_name(std::string_view rules, std::string_view kernel, KernelClass kind);

/// `rules` without those for exactly this kernel.
[[nodiscard]] std::string without_rule_of_name(std::string_view rules, std::string_view kernel);

}  // namespace warpscope::analysis
