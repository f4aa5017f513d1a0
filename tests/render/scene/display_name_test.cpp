#include "render/scene/display_name.hpp"

#include <string_view>
#include <utility>

#include "tests/catch.hpp"

namespace warpscope::scene {
namespace {

TEST_CASE("names are cut down to what tells them apart", "[scene][display_name]") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int, float*)",
       "at::native::vectorized_elementwise_kernel"},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
      {"void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)",
       "(anonymous namespace)::softmax_warp_forward"},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4>(int)",
       "at::native::(anonymous namespace)::cunn_SoftMaxForward"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4>(Params)",
       "cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4"},
      {"void cutlass::Kernel<cutlass::gemm::Wide<4>>(Params)", "cutlass::gemm::Wide"},
      {"torch/nn/modules/module.py(1501): _call_impl", "_call_impl"},
      {"<built-in method run_backward of torch._C._EngineBase object at 0x7f00>",
       "<built-in method run_backward of torch._C._EngineBase object at 0x7f00>"},
      {"Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Pinned -> Device)"},
      {"Memset (Device)", "Memset (Device)"},
      {"aten::add_", "aten::add_"},
      {"ProfilerStep#12", "ProfilerStep#12"},
      {"Optimizer.step#Adam.step", "Optimizer.step#Adam.step"},
      {"cudaLaunchKernel", "cudaLaunchKernel"},
      {"bool foo::operator<(int)", "bool foo::operator<"},
      {"void Functor::operator()<4>(float)", "Functor::operator()"},
      {"ampere_sgemm_32x128_tn", "ampere_sgemm_32x128_tn"},
      {"void ", ""},
      {"", ""},
      {"(", "("},
      {"a<", "a"},
  };
  for (const auto& [name, expected] : cases) CHECK(display_name(name) == expected);
}

TEST_CASE("a shown name is a part of the whole one", "[scene][display_name]") {
  const std::string_view name = "void f<int>(int)";
  const std::string_view shown = display_name(name);
  CHECK(shown.data() >= name.data());
  CHECK(shown.data() + shown.size() <= name.data() + name.size());
}

}  // namespace
}  // namespace warpscope::scene
