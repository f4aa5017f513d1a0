#include "core/analysis/shared/tensor_cores.hpp"

#include "tests/catch.hpp"

using namespace warpscope::analysis;

TEST_CASE("the use of Tensor Cores is inferred from a kernel's name") {
  CHECK(tensor_core_use("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn") == TensorCoreUse::used);
  CHECK(tensor_core_use("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>") ==
        TensorCoreUse::used);
  CHECK(tensor_core_use("volta_sgemm_128x64_nn") == TensorCoreUse::unused);
  CHECK(tensor_core_use("void at::native::vectorized_elementwise_kernel<4, AddFunctor<c10::Half>>") ==
        TensorCoreUse::not_eligible);
}

TEST_CASE("FBGEMM kernels are not matrix products just because of the library's name") {
  CHECK(tensor_core_use("void fbgemm_gpu::_compute_FP8_quantize_cuda_kernel<float>(float const*)") ==
        TensorCoreUse::not_eligible);
  CHECK(tensor_core_use("fbgemm_gpu::split_embedding_codegen_forward_unweighted_kernel<float>") ==
        TensorCoreUse::not_eligible);
  CHECK(tensor_core_use("void cutlass::device_kernel<fbgemm_gpu::f8f8bf16_rowwise_gemm>") == TensorCoreUse::used);
}
