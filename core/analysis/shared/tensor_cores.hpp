#pragma once
// Infers from a kernel's name whether the kernel uses Tensor Cores (NVIDIA) or matrix cores (AMD). Libraries include
// the instruction, its tile size or its operand types in kernel names. Profilers record nothing more reliable.
#include <cstdint>
#include <string_view>

namespace warpscope::analysis {

enum class TensorCoreUse : std::uint8_t {
  not_eligible,  ///< not a matrix product or convolution
  unused,        ///< could use them, but does not
  used,
};

/// O(patterns · length); long names are truncated.
[[nodiscard]] TensorCoreUse tensor_core_use(std::string_view kernel);

/// True for PyTorch operators whose kernels could use Tensor Cores: matrix products, convolutions and attention.
[[nodiscard]] bool is_tensor_core_op(std::string_view op);

}  // namespace warpscope::analysis
