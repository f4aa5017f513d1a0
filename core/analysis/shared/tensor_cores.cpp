#include "core/analysis/shared/tensor_cores.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/ascii.hpp"

namespace warpscope::analysis {

namespace {

using enum TensorCoreUse;

constexpr std::size_t kLongestName = 400;
/// The namespace of a library that also contains kernels for embeddings and quantization.
constexpr std::string_view kFbgemm = "fbgemm";

/// Kernels for matrix products and convolutions. Products with a vector (GEMV) are not among them: memory bandwidth
/// limits them, so they need no Tensor Cores.
constexpr std::array<std::string_view, 8> kEligible{"gemm",     "conv",   "dgrad",  "wgrad",
                                                    "winograd", "cudnn_", "scudnn", "cutlass"};
/// Excluded: kernels with matching names that compute neither, or that compute in double precision.
constexpr std::array<std::string_view, 12> kNotEligible{
    "convert", "tensor_op_nchw",    "bn_",          "pool",   "triton",    "dgemm", "f64",
    "double",  "winogradwgraddata", "splitkreduce", "im2col", "nchwtonhwc"};

/// Kernels with these names use Tensor Cores, whatever else the name contains.
constexpr std::array<TensorCorePattern, 10> kAlways{{{"_mi16x16", "Tensile: 16 × 16 MFMA tile"},
                                                     {"_mi32x32", "Tensile: 32 × 32 MFMA tile"},
                                                     {"_mi4x4", "Tensile: 4 × 4 MFMA tile"},
                                                     {"xdl", "Composable Kernel, MIOpen: MFMA instructions"},
                                                     {"mfma", "AMD matrix instructions"},
                                                     {"flash_fwd", "FlashAttention, forward"},
                                                     {"flash_bwd", "FlashAttention, backward"},
                                                     {"fmha_cutlass", "memory-efficient attention"},
                                                     {"_fmha_", "cuDNN, xFormers: fused attention"},
                                                     {"cudnn_generated_fort_native_sdpa", "cuDNN attention"}}};

/// Kernels with these names use Tensor Cores if they compute a matrix product or a convolution.
constexpr std::array<TensorCorePattern, 24> kIfEligible{{{"884", "Volta: 8 × 8 × 4 tile"},
                                                         {"1688", "Turing: 16 × 8 × 8 tile"},
                                                         {"16816", "Ampere: 16 × 8 × 16 tile"},
                                                         {"16832", "Ampere: 16 × 8 × 32 tile"},
                                                         {"161616", "WMMA: 16 × 16 × 16 tile"},
                                                         {"8816", "Turing: 8 × 8 × 16 integer tile"},
                                                         {"i8832", "Turing: 4-bit integer tile"},
                                                         {"hmma", "half instructions"},
                                                         {"imma", "integer instructions"},
                                                         {"wgmma", "Hopper: warpgroup instructions"},
                                                         {"gmma", "Hopper: warpgroup instructions"},
                                                         {"nvjet", "cuBLAS on Hopper and later"},
                                                         {"tensorop", "CUTLASS: operator class"},
                                                         {"tf32", "TF32 exists only on Tensor Cores"},
                                                         {"xmma", "cuDNN, cuBLAS: Ampere kernels"},
                                                         {"h884", "cuDNN: half on Volta"},
                                                         {"_mma", "matrix instruction"},
                                                         {"wmma", "matrix instruction"},
                                                         {"bf16", "BF16 matrix products run on Tensor Cores"},
                                                         {"f16", "half products"},
                                                         {"fp16", "half products"},
                                                         {"half", "half products"},
                                                         {"fp8", "FP8 exists only on Tensor Cores"},
                                                         {"e4m3", "FP8 exists only on Tensor Cores"}}};

constexpr auto kPatterns = [] {
  std::array<TensorCorePattern, kAlways.size() + kIfEligible.size()> all{};
  std::ranges::copy(kAlways, all.begin());
  std::ranges::copy(kIfEligible, all.begin() + kAlways.size());
  return all;
}();

constexpr std::array<std::string_view, 22> kOps{"aten::mm",
                                                "aten::addmm",
                                                "aten::bmm",
                                                "aten::baddbmm",
                                                "aten::matmul",
                                                "aten::linear",
                                                "aten::_scaled_mm",
                                                "aten::_grouped_mm",
                                                "aten::conv1d",
                                                "aten::conv2d",
                                                "aten::conv3d",
                                                "aten::convolution",
                                                "aten::_convolution",
                                                "aten::convolution_backward",
                                                "aten::cudnn_convolution",
                                                "aten::cudnn_convolution_transpose",
                                                "aten::cudnn_convolution_backward_weight",
                                                "aten::cudnn_convolution_backward_input",
                                                "aten::miopen_convolution",
                                                "aten::scaled_dot_product_attention",
                                                "aten::_scaled_dot_product_flash_attention",
                                                "aten::_scaled_dot_product_efficient_attention"};

bool contains_one_of(std::string_view name, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != name.npos; });
}

bool matches_one_of(std::string_view name, std::span<const TensorCorePattern> patterns) {
  return std::ranges::any_of(patterns,
                             [&](const TensorCorePattern& each) { return name.find(each.text) != name.npos; });
}

}  // namespace

std::span<const TensorCorePattern> tensor_core_patterns() { return kPatterns; }

TensorCoreUse tensor_core_use(std::string_view kernel) {
  std::string name = lower(kernel.substr(0, kLongestName));
  for (std::size_t at = name.find(kFbgemm); at != name.npos; at = name.find(kFbgemm, at))
    name.erase(at, kFbgemm.size());
  if (matches_one_of(name, kAlways)) return used;
  if (!contains_one_of(name, kEligible) || contains_one_of(name, kNotEligible)) return not_eligible;
  return matches_one_of(name, kIfEligible) ? used : unused;
}

bool is_tensor_core_op(std::string_view op) { return std::ranges::find(kOps, op) != kOps.end(); }

}  // namespace warpscope::analysis
