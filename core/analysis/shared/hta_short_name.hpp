#pragma once
// HTA's own shortening of names, for the columns that must equal HTA's. What people read is shortened by
// core/trace/kernel_label.hpp.
#include <string>
#include <string_view>

namespace warpscope::analysis {

/// `name` without arguments, template arguments and return type, as HTA shortens it: "void f<4>(int*)" is "f". Names of
/// copies and sets stay as they are. O(length).
[[nodiscard]] std::string hta_short_name(std::string_view name);

}  // namespace warpscope::analysis
