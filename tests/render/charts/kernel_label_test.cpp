#include "render/charts/kernel_label.hpp"

#include "tests/catch.hpp"

namespace warpscope::charts {
namespace {

TEST_CASE("a generic kernel is labelled by what it applies", "[charts]") {
  CHECK(
      kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::sqrt_kernel_cuda(at::"
                   "TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*"
                   ", 2> >(int, at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2})") ==
      "sqrt · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctorOnSelf_add<float>, "
                     "at::detail::Array<char*, 2> >(int, float)") == "add · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
                     "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int)") ==
        "Mul · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::reduce_kernel<128, 4, at::native::ReduceOp<float, at::native::func_wrapper_t<"
                     "float, at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)>, unsigned "
                     "int, float, 4> >(float)") == "sum · reduce_kernel");
  CHECK(kernel_label("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::"
                     "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}>(int)>(int)") ==
        "direct_copy · elementwise_kernel");
}

TEST_CASE("other kernels keep their own names, without namespaces", "[charts]") {
  CHECK(kernel_label("volta_sgemm_128x32_nt") == "volta_sgemm_128x32_nt");
  CHECK(kernel_label("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)") ==
        "ncclKernel_AllReduce_RING_LL_Sum_float");
  CHECK(kernel_label("void cub::DeviceScanKernel<cub::DeviceScanPolicy<int>::Policy600, int*>(int*)") ==
        "DeviceScanKernel");
  CHECK(kernel_label("void linearize_index_kernel<long>(long)") == "linearize_index_kernel");
  CHECK(kernel_label("void flash_bwd_kernel<Flash_bwd_kernel_traits<64, 128>, false>(Flash_bwd_params)") ==
        "flash_bwd_kernel");
  CHECK(kernel_label("others") == "others");
  CHECK(kernel_label("").empty());
  CHECK(kernel_label("odd::") == "odd::");
}

}  // namespace
}  // namespace warpscope::charts
