#pragma once
// The part of a kernel's or an operator's name by which people know it.
#include <string>
#include <string_view>

namespace warpscope::analysis {

/// `name` without arguments, template arguments and return type, as HTA shortens it: "void f<4>(int*)" is "f". Names of
/// copies and sets stay as they are. O(length).
[[nodiscard]] std::string short_name(std::string_view name);

}  // namespace warpscope::analysis
