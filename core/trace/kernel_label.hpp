#pragma once
// Short names of kernels for the Timeline, charts, tables and diffs. A kernel name is a C++ signature that can be
// thousands of bytes long, but there is room for only about 20 to 40 characters. Names that do not fit are truncated at
// the end, so the distinguishing part comes first: the function that a generic kernel applies, then the kernel's own
// name. Labels omit the return type, namespaces, template arguments and parameters.
//
// Names of annotations and operators are never shortened: "attn(F)" and "attn(B)" are different names. Pass kernel
// names only; a name that is not a C++ signature is returned unchanged.
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

/// Returns labels for names shown together, in the same order. If different names would get the same label, prefixes
/// each label with the arguments and namespaces that differ: "float · softmax_warp_forward", "Half ·
/// softmax_warp_forward".
[[nodiscard]] std::vector<std::string> kernel_labels(std::span<const std::string_view> names);

}  // namespace warpscope::trace
