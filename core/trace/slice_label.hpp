#pragma once
// What a slice is called where there is little room: kernels by kernel_label(), frames of Python by their function,
// anything else (annotations, operators, calls, memcpys) by its whole name.
#include <string>
#include <string_view>

#include "core/trace/profile.hpp"

namespace warpscope::trace {

///   torch/nn/modules/module.py(1501): _call_impl  →  _call_impl
[[nodiscard]] std::string slice_label(Role role, std::string_view name);

[[nodiscard]] std::string slice_label(const Profile& profile, SliceRef slice);

}  // namespace warpscope::trace
