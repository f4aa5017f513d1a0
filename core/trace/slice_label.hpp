#pragma once
// Short labels of slices: kernels by kernel_label(), Python frames by function, everything else (annotations,
// operators, calls, memcpys) by full name.
#include <string>
#include <string_view>

#include "core/trace/profile.hpp"

namespace warpscope::trace {

///   torch/nn/modules/module.py(1501): _call_impl  →  _call_impl
[[nodiscard]] std::string slice_label(Role role, std::string_view name);

[[nodiscard]] std::string slice_label(const Profile& profile, SliceRef slice);

}  // namespace warpscope::trace
