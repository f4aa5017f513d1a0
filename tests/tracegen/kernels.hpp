#pragma once
// Kernels launched by a transformer's training step. Names are in the style of PyTorch, cuBLAS, FlashAttention, NCCL
// and Triton (long, templated, about a hundred characters); the values are plausible for an H100.
#include <cstdint>
#include <vector>

#include "tests/tracegen/program.hpp"

namespace warpscope::tracegen {

/// Indices into kernel_types().
enum class Kernel : std::uint8_t {
  embedding,
  layer_norm,
  gemm_qkv,
  gemm_projection,
  gemm_up,
  gemm_down,
  split_k_reduce,
  bias_copy,
  attention,
  gelu,
  dropout,
  add,
  softmax,
  nll_loss,
  fill,
  gelu_backward,
  dropout_backward,
  attention_backward,
  layer_norm_backward,
  layer_norm_backward_weights,
  gemm_backward_input,
  gemm_backward_weight,
  reduce_bias,
  softmax_backward,
  embedding_backward,
  scale,
  norm,
  adam,
  pointwise,
  triton_fused,
};

[[nodiscard]] std::vector<KernelType> kernel_types();

}  // namespace warpscope::tracegen
