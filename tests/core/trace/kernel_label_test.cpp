#include "core/trace/kernel_label.hpp"

#include <utility>

#include "core/trace/slice_label.hpp"
#include "tests/catch.hpp"

namespace warpscope::trace {
namespace {

using Names = std::vector<std::string_view>;
using Labels = std::vector<std::string>;

constexpr std::string_view kSqrt =
    "void at::native::vectorized_elementwise_kernel<4, at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)::"
    "{lambda()#2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2> >(int, at::native::"
    "sqrt_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2})";

TEST_CASE("a generic kernel is labeled by the function that it applies", "[kernel_label]") {
  CHECK(kernel_label(kSqrt) == "sqrt · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctorOnSelf_add<float>, "
                     "at::detail::Array<char*, 2> >(int, float)") == "add · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
                     "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int)") ==
        "Mul · vectorized_elementwise_kernel");
  CHECK(kernel_label("void at::native::reduce_kernel<128, 4, at::native::ReduceOp<float, at::native::func_wrapper_t<"
                     "float, at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)>, unsigned "
                     "int, float, 4> >(float)") == "sum · reduce_kernel");
  CHECK(kernel_label("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::WelfordOps<float, "
                     "float, int, float>, unsigned int, float, 2> >(float)") == "Welford · reduce_kernel");
  CHECK(kernel_label("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::"
                     "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}>(int)>(int)") ==
        "direct_copy · elementwise_kernel");
  CHECK(kernel_label("void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::"
                     "launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar)::{lambda()#1}>(int)") ==
        "launch_clamp_scalar · vectorized_elementwise_kernel");
}

TEST_CASE("a kernel's label has no namespaces, arguments or return type", "[kernel_label]") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"(anonymous namespace)::scaled_upper_triang_masked_softmax_warp_forward",
       "scaled_upper_triang_masked_softmax_warp_forward"},
      {"void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)", "softmax_warp_forward"},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4>(int)", "cunn_SoftMaxForward"},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4>(Params)",
       "cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4"},
      {"void cutlass::Kernel<cutlass::gemm::WideKernel<4>>(Params)", "gemm::WideKernel"},
      {"void cutlass::device_kernel<flash::FlashAttnFwdSm90<Traits<64>, 2>>(Params)", "FlashAttnFwdSm90"},
      {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, (16>8), false>(Params<4>)",
       "gemvx::kernel"},
      {"void deep_ep::internode::dispatch<8>(int)", "internode::dispatch"},
      {"void deep_ep::intranode::dispatch<8>(int)", "intranode::dispatch"},
      {"void cub::DeviceScanKernel<cub::DeviceScanPolicy<int>::Policy600, int*>(int*)", "DeviceScanKernel"},
      {"void flash_bwd_kernel<Flash_bwd_kernel_traits<64, 128>, false>(Flash_bwd_params)", "flash_bwd_kernel"},
      {"Outer<int>::inner_kernel<4>(int)", "inner_kernel"},
      {"hip_kernel(int, float const*) [clone .kd]", "hip_kernel"},
      {"void Functor::operator()<4>(float)", "Functor::operator()"},
      {"bool foo::operator<(int)", "foo::operator<"},
      {"_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weightINS_47GridwiseGemm_bk0mk1Li64EttftLNS",
       "kernel_batched_gemm_xdlops_bwd_weight"},
      {"_ZN7deep_ep9internode8dispatchILi8EEEvi", "internode::dispatch"},
      {"_Z9my_kernelPf", "my_kernel"},
      {"_ZN2ck60kernel_that_was_cut", "kernel_that_was_cut"},
      {"volta_sgemm_128x32_nt", "volta_sgemm_128x32_nt"},
      {"triton_poi_fused_add_3", "triton_poi_fused_add_3"},
      {"long_kernel_name<", "long_kernel_name"},
      {"void some_kernel", "some_kernel"},
  };
  for (const auto& [name, label] : cases) CHECK(kernel_label(name) == label);
}

TEST_CASE("a name that is not a signature is its own label", "[kernel_label]") {
  for (const std::string_view name : {"attn(F)",
                                      "attn(B)",
                                      "attn(W)",
                                      "layer(3)",
                                      "wait()",
                                      "## wait() ##",
                                      "aten::add_",
                                      "a::b::mm",
                                      "Memcpy HtoD (Pinned -> Device)",
                                      "Memset (Device)",
                                      "ProfilerStep#12",
                                      "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                                      "Optimizer.step#Adam.step",
                                      "nn/module.py(12): forward",
                                      "<built-in method run of object at 0x7f00>",
                                      "others",
                                      "",
                                      "(",
                                      "odd::",
                                      "void ",
                                      "{",
                                      ")>",
                                      "::",
                                      "operator",
                                      "f(a)->b",
                                      "_Z",
                                      "_Zed",
                                      "_ZN",
                                      "_Z9",
                                      "_Z99999999999999999999"})
    CHECK(kernel_label(name) == name);
}

TEST_CASE("kernels that are shown together have different labels", "[kernel_label]") {
  CHECK(kernel_labels(Names{"void softmax_warp_forward<float, float, 10, false>(float*)",
                            "void softmax_warp_forward<c10::Half, float, 10, false>(float*)", "gemm",
                            "void softmax_warp_forward<c10::Half, float, 10, true>(float*)"}) ==
        Labels{"float, false · softmax_warp_forward", "Half, false · softmax_warp_forward", "gemm",
               "Half, true · softmax_warp_forward"});
  CHECK(kernel_labels(Names{"void elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
                            "void elementwise_kernel<4, at::native::CUDAFunctorOnSelf_add<float>>(int)"}) ==
        Labels{"CUDAFunctor_add · elementwise_kernel", "CUDAFunctorOnSelf_add · elementwise_kernel"});
  // A type is more informative than a size, and a size is better than nothing.
  CHECK(kernel_labels(Names{"void copy_kernel<4, float>(int)", "void copy_kernel<8, long>(int)"}) ==
        Labels{"float · copy_kernel", "long · copy_kernel"});
  CHECK(kernel_labels(Names{"void copy_kernel<4>(int)", "void copy_kernel<8>(int)"}) ==
        Labels{"4 · copy_kernel", "8 · copy_kernel"});
  CHECK(kernel_labels(Names{"void reduce_kernel<512, func_wrapper_t<float, sum_functor<float>>>(int)",
                            "void reduce_kernel<512, func_wrapper_t<long, sum_functor<long>>>(int)"}) ==
        Labels{"float · sum · reduce_kernel", "long · sum · reduce_kernel"});
  CHECK(kernel_labels(Names{"void first::reduce_all_rows<4>(int)", "void second::reduce_all_rows<4>(int)"}) ==
        Labels{"first · reduce_all_rows", "second · reduce_all_rows"});
  // The same name twice is one kernel.
  CHECK(kernel_labels(Names{"void copy_kernel<4>(int)", "void copy_kernel<4>(int)"}) ==
        Labels{"copy_kernel", "copy_kernel"});
  CHECK(kernel_labels({}).empty());
}

TEST_CASE("only kernels and Python frames have short labels", "[kernel_label]") {
  CHECK(slice_label(Role::kernel, kSqrt) == "sqrt · vectorized_elementwise_kernel");
  for (const Role role : {Role::annotation, Role::gpu_annotation, Role::op, Role::launch, Role::memory_copy}) {
    CHECK(slice_label(role, "void scope<4>(int)") == "void scope<4>(int)");
    CHECK(slice_label(role, "attn(F)") == "attn(F)");
    CHECK(slice_label(role, "train.py(12): step") == "train.py(12): step");
  }
  CHECK(slice_label(Role::python, "torch/nn/modules/module.py(1501): _call_impl") == "_call_impl");
  CHECK(slice_label(Role::python, "<built-in method run>") == "<built-in method run>");
  CHECK(slice_label(Role::python, "module.py(1): ") == "module.py(1): ");
}

}  // namespace
}  // namespace warpscope::trace
