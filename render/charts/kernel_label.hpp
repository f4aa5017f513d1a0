#pragma once
// Names of kernels for legends and bars, where some twenty letters are seen and many kernels begin alike. What tells
// two of them apart stands first: the function that a generic kernel applies, told by its template arguments.
#include <string>
#include <string_view>

namespace warpscope::charts {

///   void at::native::vectorized_elementwise_kernel<4, …sqrt_kernel_cuda(…)…>  →  sqrt · vectorized_elementwise_kernel
///   void at::native::reduce_kernel<128, 4, …ReduceOp<float, …sum_functor<float>…>>  →  sum · reduce_kernel
///   ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)  →  ncclKernel_AllReduce_RING_LL_Sum_float
/// Anything else as display_name() has it, without its namespaces.
[[nodiscard]] std::string kernel_label(std::string_view name);

}  // namespace warpscope::charts
