#pragma once
// The part of a name that is worth the few pixels of a rectangle.
#include <string_view>

namespace warpscope::scene {

/// A piece of `name` (never a copy): without return type, template arguments and parameters of a C++ function,
/// without path and line of a Python frame. Anything else comes back whole.
///   void at::native::elementwise_kernel<4, …>(int, …)  →  at::native::elementwise_kernel
///   void cutlass::Kernel2<cutlass_80_gemm_…>(Params)   →  cutlass_80_gemm_…
///   torch/nn/modules/module.py(1501): _call_impl       →  _call_impl
///   Memcpy HtoD (Pinned -> Device)                     →  unchanged
[[nodiscard]] std::string_view display_name(std::string_view name);

}  // namespace warpscope::scene
