#include "tests/tracegen/kernels.hpp"

#include <array>

namespace warpscope::tracegen {
namespace {

constexpr std::array<RuntimeApiInfo, 12> kApis{{
    {"cudaLaunchKernel", 211, 4200, false, true},
    {"cudaLaunchKernelExC", 430, 5200, false, true},
    {"cuLaunchKernel", 307, 3600, true, true},
    {"cudaGraphLaunch", 311, 38000, false, true},
    {"cudaMemcpyAsync", 41, 6100, false, true},
    {"cudaMemsetAsync", 51, 3900, false, true},
    {"cudaStreamSynchronize", 131, 2400, false, false},
    {"cudaDeviceSynchronize", 165, 3000, false, false},
    {"cudaEventRecord", 135, 1100, false, false},
    {"cudaEventQuery", 138, 700, false, false},
    {"cudaStreamWaitEvent", 147, 900, false, false},
    {"cudaStreamIsCapturing", 317, 400, false, false},
}};

}  // namespace

const RuntimeApiInfo& info(RuntimeApi api) { return kApis[static_cast<std::size_t>(api)]; }

std::vector<KernelType> kernel_types() {
  constexpr auto kTma = RuntimeApi::launch_kernel_exc;
  // The figures of a kernel in one line:
  // clang-format off
  return {
      {"void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, "
       "true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, at::cuda::detail::TensorInfo<c10::BFloat16 "
       "const, unsigned int>, at::cuda::detail::TensorInfo<long const, unsigned int>, int, int, unsigned int, unsigned "
       "int, long)",
       11'800, 32, 0, {1056, 1, 1}, {128, 1, 1}, 90},
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, false>(int, float, "
       "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
       9'800, 40, 24, {4096, 1, 1}, {32, 4, 1}, 75},
      {"nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", 80'300, 168, 213'088, {66, 2, 1}, {384, 1, 1}, 19, kTma},
      {"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_bias_TNN", 33'600, 168, 213'088, {132, 1, 1}, {384, 1, 1}, 19, kTma},
      {"nvjet_tst_256x128_64x4_2x1_v_bz_coopA_bias_TNT", 103'400, 168, 213'088, {66, 2, 1}, {384, 1, 1}, 19, kTma},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize2x1x1_execute_segment_k_off_kernel__5x"
       "_cublas",
       100'700, 168, 205'824, {32, 16, 1}, {384, 1, 1}, 19},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, float, __nv_bfloat16, true, false, "
       "false>(cublasLt::cublasSplitKParams<float>, float const*, __nv_bfloat16 const*, __nv_bfloat16*, float const*, "
       "float const*, __nv_bfloat16 const*, float const*, __nv_bfloat16*, void*, long, float*, int*)",
       7'600, 46, 0, {512, 1, 1}, {32, 16, 1}, 50},
      {"void at::native::elementwise_kernel<128, 4, "
       "at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
       "operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, "
       "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
       "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} const&)::{lambda(int)#1}>(int, "
       "at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
       "operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, "
       "{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} "
       "const&)::{lambda(int)#1})",
       7'800, 28, 0, {8192, 1, 1}, {128, 1, 1}, 100},
      {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
       "cutlass::bfloat16_t, "
       "Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, true, true, false, false, false, true, false, "
       "false>(pytorch_flash::Flash_fwd_params)",
       64'900, 255, 65'536, {16, 8, 32}, {128, 1, 1}, 12},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
       "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() "
       "const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, "
       "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#1}::operator()() "
       "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul>)",
       17'000, 26, 0, {16384, 1, 1}, {128, 1, 1}, 100},
      {"void at::native::(anonymous namespace)::fused_dropout_kernel_vec<c10::BFloat16, float, unsigned int, 1, 8, "
       "bool>(at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, "
       "at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, at::cuda::detail::TensorInfo<bool, unsigned int>, "
       "unsigned int, float, at::PhiloxCudaState)",
       10'200, 52, 0, {1056, 1, 1}, {256, 1, 1}, 62},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
       "std::array<char*, "
       "3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
       7'300, 24, 0, {8192, 1, 1}, {128, 1, 1}, 100},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxForwardSmem<8, c10::BFloat16, float, float, "
       "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue, long>(float*, c10::BFloat16 const*, long)",
       90'200, 48, 102'400, {4096, 1, 1}, {1024, 1, 1}, 50},
      {"void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, "
       "float*, float const*, long const*, float const*, bool, long, long, long, long)",
       9'100, 38, 0, {1, 1, 1}, {32, 1, 1}, 1},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> "
       ">(int, "
       "at::native::FillFunctor<float>, std::array<char*, 1ul>)",
       2'300, 16, 0, {256, 1, 1}, {128, 1, 1}, 12},
      {"void at::native::vectorized_elementwise_kernel<4, "
       "at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
       "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() "
       "const::{lambda(c10::BFloat16, c10::BFloat16)#1}, std::array<char*, 3ul> >(int, "
       "at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
       "at::native::GeluType)::{lambda()#1}::operator()() "
       "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}, std::array<char*, 3ul>)",
       24'200, 32, 0, {16384, 1, 1}, {128, 1, 1}, 100},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
       "namespace)::masked_scale_kernel<bool, c10::BFloat16, float>(at::Tensor&, at::Tensor const&, at::Tensor const&, "
       "float)::{lambda(c10::BFloat16, bool)#1}, std::array<char*, 3ul> >(int, at::native::(anonymous "
       "namespace)::masked_scale_kernel<bool, c10::BFloat16, float>(at::Tensor&, at::Tensor const&, at::Tensor const&, "
       "float)::{lambda(c10::BFloat16, bool)#1}, std::array<char*, 3ul>)",
       8'900, 26, 0, {8192, 1, 1}, {128, 1, 1}, 100},
      {"void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8, 2, "
       "4, "
       "2, false, false, cutlass::bfloat16_t, Flash_kernel_traits<128, 64, 128, 8, cutlass::bfloat16_t> >, true, true, "
       "false, false, false, true, false>(pytorch_flash::Flash_bwd_params)",
       157'800, 255, 147'456, {16, 8, 32}, {256, 1, 1}, 12},
      {"void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float, "
       "false>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, "
       "c10::BFloat16*, int)",
       16'000, 48, 128, {4096, 1, 1}, {128, 1, 1}, 62},
      {"void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 64u, 8u, "
       "64u, "
       "true, true, false>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, "
       "c10::BFloat16*, c10::BFloat16*)",
       12'100, 64, 4'224, {64, 32, 1}, {64, 8, 1}, 50},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x"
       "_cublas",
       94'100, 168, 205'824, {32, 32, 1}, {256, 1, 1}, 12},
      {"void "
       "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_64x3_nt_align8>(cutlass_80_tensorop_"
       "bf16_s16816gemm_relu_bf16_256x128_64x3_nt_align8::Params)",
       96'800, 230, 147'456, {16, 32, 1}, {256, 1, 1}, 12},
      {"void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, "
       "at::native::func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, "
       "c10::BFloat16>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::BFloat16, 4, 4> "
       ">(at::native::ReduceOp<c10::BFloat16, at::native::func_wrapper_t<c10::BFloat16, "
       "at::native::sum_functor<c10::BFloat16, float, c10::BFloat16>::operator()(at::TensorIterator&)::{lambda(float, "
       "float)#1}>, unsigned int, c10::BFloat16, 4, 4>)",
       6'900, 40, 2'048, {32, 8, 1}, {32, 16, 1}, 37},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxBackwardSmem<8, c10::BFloat16, float, float, "
       "at::native::(anonymous namespace)::LogSoftMaxBackwardEpilogue>(c10::BFloat16*, float const*, float const*, "
       "long)",
       128'200, 44, 102'400, {4096, 1, 1}, {1024, 1, 1}, 50},
      {"void at::native::(anonymous namespace)::embedding_backward_feature_kernel<c10::BFloat16, float, long>(long "
       "const*, c10::BFloat16 const*, c10::BFloat16*, int, long, int)",
       31'900, 54, 16'512, {128, 1, 1}, {32, 32, 1}, 50},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
       "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul> >(int, "
       "at::native::AUnaryFunctor<float, "
       "float, float, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul>)",
       2'800, 18, 0, {512, 1, 1}, {128, 1, 1}, 25},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::LpNormFunctor<c10::BFloat16, "
       "(at::native::NormType)1, float, 1, 1, 0>, float*, int>(at::native::(anonymous "
       "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::LpNormFunctor<c10::BFloat16, "
       "(at::native::NormType)1, float, 1, 1, 0>, float*, int)",
       3'400, 32, 2'048, {96, 1, 1}, {512, 1, 1}, 50},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
       "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, double, "
       "double, double, double, bool, float*, float*>(at::native::(anonymous "
       "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
       "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, double, "
       "double, double, double, bool, float*, float*)",
       25'300, 48, 0, {320, 1, 1}, {512, 1, 1}, 50},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
       "namespace)::pointwise_op_scalar_kernel_cuda(at::TensorIteratorBase&, c10::Scalar const&)::{lambda(float, "
       "float, "
       "float)#1}, std::array<char*, 4ul> >(int, at::native::(anonymous "
       "namespace)::pointwise_op_scalar_kernel_cuda(at::TensorIteratorBase&, c10::Scalar const&)::{lambda(float, "
       "float, "
       "float)#1}, std::array<char*, 4ul>)",
       5'700, 30, 0, {2048, 1, 1}, {128, 1, 1}, 100},
      {"triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_7",
       10'700,
       40,
       64,
       {4096, 1, 1},
       {256, 1, 1},
       75,
       RuntimeApi::driver_launch},
  };
  // clang-format on
}

}  // namespace warpscope::tracegen
