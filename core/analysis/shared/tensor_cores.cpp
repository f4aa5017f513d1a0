#include "core/analysis/shared/tensor_cores.hpp"

#include <algorithm>
#include <array>
#include <span>
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

/// Kernels with these names use Tensor Cores, whatever else the name contains: MFMA tiles of Tensile, MFMA instructions
/// of Composable Kernel and MIOpen, and fused attention.
constexpr std::array<std::string_view, 10> kAlways{
    "_mi16x16",  "_mi32x32",  "_mi4x4",       "xdl",    "mfma",
    "flash_fwd", "flash_bwd", "fmha_cutlass", "_fmha_", "cudnn_generated_fort_native_sdpa"};

/// Kernels with these names use Tensor Cores if they compute a matrix product or a convolution: by tile (Volta, Turing,
/// Ampere), by instruction (up to Hopper's warpgroups), by library, or by a type whose products run only there.
constexpr std::array<std::string_view, 24> kIfEligible{
    "884",   "1688",     "16816", "16832", "161616", "8816", "i8832",  // tiles
    "hmma",  "imma",     "wgmma", "gmma",  "_mma",   "wmma",           // instructions
    "nvjet", "tensorop", "xmma",  "h884",                              // cuBLAS on Hopper, CUTLASS, cuDNN
    "tf32",  "bf16",     "f16",   "fp16",  "half",   "fp8",  "e4m3"};

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

}  // namespace

TensorCoreUse tensor_core_use(std::string_view kernel) {
  std::string name = lower(kernel.substr(0, kLongestName));
  for (std::size_t at = name.find(kFbgemm); at != name.npos; at = name.find(kFbgemm, at))
    name.erase(at, kFbgemm.size());
  if (contains_one_of(name, kAlways)) return used;
  if (!contains_one_of(name, kEligible) || contains_one_of(name, kNotEligible)) return not_eligible;
  return contains_one_of(name, kIfEligible) ? used : unused;
}

bool is_tensor_core_op(std::string_view op) { return std::ranges::find(kOps, op) != kOps.end(); }

}  // namespace warpscope::analysis
