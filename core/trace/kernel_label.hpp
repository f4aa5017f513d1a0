#pragma once
// Short names of kernels: the one shortener, for slices in the Timeline, charts, tables and diffs. A kernel's name is a
// C++ signature of up to thousands of bytes, of which a screen has room for some twenty to forty. What distinguishes
// kernels comes first, as a name that does not fit loses its end: the function that a generic kernel applies, then the
// kernel's own name; return type, namespaces, template arguments and parameters are left out.
//
// Names of annotations and operators are never shortened: "attn(F)" and "attn(B)" are two names. Pass kernels only; a
// name that is no C++ signature comes back whole in any case.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::trace {

///   void at::native::vectorized_elementwise_kernel<4, …sqrt_kernel_cuda(…)…>  →  sqrt · vectorized_elementwise_kernel
///   void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)       →  softmax_warp_forward
///   void cutlass::Kernel2<cutlass_80_gemm_…>(Params)                          →  cutlass_80_gemm_…
///   void deep_ep::internode::dispatch<8>(int)                                 →  internode::dispatch
///   volta_sgemm_128x32_nt, Memcpy HtoD (Pinned -> Device), attn(F)            →  unchanged
/// O(length).
[[nodiscard]] std::string kernel_label(std::string_view name);

/// Labels of names that are shown together, in their order. Where different names have the same label, those of their
/// arguments and namespaces that differ come first: "float · softmax_warp_forward", "Half · softmax_warp_forward".
[[nodiscard]] std::vector<std::string> kernel_labels(std::span<const std::string_view> names);

}  // namespace warpscope::trace
