#pragma once
// Shortens names as HTA does, for columns that must match HTA's. core/trace/kernel_label.hpp shortens names for
// display.
#include <string>
#include <string_view>

namespace warpscope::analysis {

/// Removes arguments, template arguments and return type, as HTA does: "void f<4>(int*)" becomes "f". Names of memcpys
/// and memsets are unchanged. O(length).
[[nodiscard]] std::string hta_short_name(std::string_view name);

}  // namespace warpscope::analysis
